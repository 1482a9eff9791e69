// What was observed of functions outside the program.

import type { Table } from "../document";
import { number, plural } from "../model";

export function TableCard({ table }: { table: Table }) {
  const fresh = table.rows.filter((row) => row.is_new).length;
  return (
    <section class="card wide">
      <h2><code>{table.function}</code></h2>
      <p class="faint">
        {plural(table.rows.length + table.more, "observed call")}{fresh > 0 && `, ${number(fresh)} new`}
      </p>
      <div class="table-room" tabIndex={0} role="region" aria-label={`Table of ${table.function}`}>
        <table>
          <thead><tr>{table.columns.map((name, index) => <th key={index}>{name}</th>)}</tr></thead>
          <tbody>
            {table.rows.map((row, index) => (
              <tr key={index} class={row.is_new ? "fresh" : ""}>
                {row.cells.map((cell, at) => <td key={at}><code>{cell}</code></td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.more > 0 && <p class="faint">and {number(table.more)} more</p>}
    </section>
  );
}
