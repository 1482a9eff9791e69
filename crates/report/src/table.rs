//! Tables of external functions, as they are kept in files, for the page.

use crate::document::{Table, TableRow};
use csv::ReaderBuilder;
use std::collections::HashSet;

/// Rows that a page shows.
const MOST: usize = 2000;

impl Table {
    /// The table in a file's content: names, types, then a row for each call. With the
    /// content of an earlier file, rows that are not there are new.
    pub fn read(function: &str, content: &str, before: Option<&str>) -> Table {
        let mut records = records(content).into_iter();
        let columns = records.next().unwrap_or_default();
        let _types = records.next();
        let known: Option<HashSet<Vec<String>>> =
            before.map(|before| self::records(before).into_iter().collect());
        let is_new = |cells: &[String]| known.as_ref().is_some_and(|known| !known.contains(cells));
        let rows: Vec<TableRow> = records
            .by_ref()
            .take(MOST)
            .map(|cells| TableRow {
                is_new: is_new(&cells),
                cells,
            })
            .collect();
        Table {
            function: function.to_owned(),
            columns,
            rows,
            more: records.count() as u64,
        }
    }
}

/// The lines of a table; what is torn at the end is left out.
fn records(content: &str) -> Vec<Vec<String>> {
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(content.as_bytes());
    let records = reader.into_records().map_while(Result::ok);
    records
        .map(|record| record.iter().map(str::to_owned).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_were_not_there_before_are_new() {
        let before = "x,result\ni32,i32\n4,40\n";
        let table = Table::read("f", "x,result\ni32,i32\n4,40\n5,50\n", Some(before));
        let rows = table
            .rows
            .iter()
            .map(|row| (row.cells.join(" "), row.is_new));
        let expected = [("4 40".to_owned(), false), ("5 50".to_owned(), true)];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
        assert_eq!(table.columns, ["x", "result"]);
    }
}
