//! Tables on disk: a file for each function, named after it.

use super::Oracle;
use crate::failure::Failure;
use crate::signature::Signature;
use crate::table::{FunctionTable, InsertError, TableError};
use std::path::{Path, PathBuf};
use term::Value;

impl Oracle<'_> {
    /// Reads every `NAME.csv` of a folder as the table of the function `NAME`,
    /// declared or yet to be.
    pub fn load_tables(&mut self, folder: &Path) -> Result<(), TableError> {
        let entries = std::fs::read_dir(folder)
            .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
            .map_err(|error| TableError::file(folder, &error))?;
        let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "csv"));
        files.sort();
        files.iter().try_for_each(|file| self.load_table(file))
    }

    /// Reads one such file.
    pub fn load_table(&mut self, file: &Path) -> Result<(), TableError> {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        self.load_table_of(&name, file)
    }

    /// Reads a file as the table of this function, whatever the file is called.
    pub fn load_table_of(&mut self, function: &str, file: &Path) -> Result<(), TableError> {
        let table = FunctionTable::load(function, file)?;
        let Some(entry) = self.functions.get_mut(function) else {
            self.undeclared
                .insert(function.to_owned(), (file.to_owned(), table));
            return Ok(());
        };
        let signature = entry.signature.clone();
        check_table(&signature, file, &table)?;
        let known = entry
            .table
            .as_mut()
            .expect("the types of a file are tabular");
        for (arguments, result) in table.iter() {
            known
                .insert(arguments.to_vec(), result.clone())
                .map_err(|error| TableError::Contradiction {
                    file: file.to_owned(),
                    error,
                })?;
        }
        Ok(())
    }

    /// Adds a pair to the table of a declared function.
    pub fn observe(
        &mut self,
        function: &str,
        arguments: Vec<Value>,
        result: Value,
    ) -> Result<(), InsertError> {
        let entry = self.functions.get_mut(function);
        let table = entry.and_then(|entry| entry.table.as_mut());
        let table = table.ok_or_else(|| InsertError::Sorts {
            signature: function.to_owned(),
        })?;
        table.insert(arguments, result)
    }

    /// Whether a declared function has a pair in its table.
    pub fn has_observations(&self) -> bool {
        let mut tables = self.functions.values().filter_map(|e| e.table.as_ref());
        tables.any(|table| !table.is_empty())
    }

    /// Writes the tables that have pairs into a folder, which is made if needed.
    pub fn save_tables(&self, folder: &Path) -> Result<(), TableError> {
        std::fs::create_dir_all(folder).map_err(|error| TableError::file(folder, &error))?;
        let declared = self.functions.values().filter_map(|e| e.table.as_ref());
        let undeclared = self.undeclared.values().map(|(_, table)| table);
        for table in declared.chain(undeclared).filter(|t| !t.is_empty()) {
            let name = &table.signature().name;
            if name.is_empty() || name.contains(['/', '\0']) {
                let function = name.clone();
                return Err(TableError::Name { function });
            }
            table.save(&folder.join(format!("{name}.csv")))?;
        }
        Ok(())
    }

    /// The functions that have a table from a file and no declaration, as the
    /// files give them.
    pub fn undeclared(&self) -> impl Iterator<Item = &Signature> {
        self.undeclared.values().map(|(_, table)| table.signature())
    }

    /// The table from a file as the table of a function declared now.
    pub(super) fn claim(
        &mut self,
        signature: &Signature,
        file: PathBuf,
        table: FunctionTable,
    ) -> Result<FunctionTable, Failure> {
        match check_table(signature, &file, &table) {
            Ok(()) => Ok(table),
            Err(error) => {
                self.undeclared
                    .insert(signature.name.clone(), (file, table));
                Err(Failure::Table(error))
            }
        }
    }
}

fn check_table(
    signature: &Signature,
    file: &Path,
    table: &FunctionTable,
) -> Result<(), TableError> {
    match table.signature().same_types(signature) {
        true => Ok(()),
        false => Err(TableError::Signature {
            file: file.to_owned(),
            table: table.signature().to_string(),
            function: signature.to_string(),
        }),
    }
}
