//! Coverage as Cobertura's XML, which build servers draw.
//!
//! The format is that of `coverage-04.dtd`: packages are folders and classes are files,
//! as everybody maps C to it. Figures that the format asks for and nobody computes here
//! (complexity) are zero.

use base::OneLine;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use suite::Share;
use suite::lcov::{BranchCoverage, Coverage, FileCoverage};

/// The coverage of a run; files below `source` are named from there. `timestamp` is in
/// milliseconds since 1970.
pub fn cobertura(coverage: &Coverage, source: &Path, version: &str, timestamp: u64) -> String {
    let mut packages: BTreeMap<String, Vec<Class<'_>>> = BTreeMap::new();
    for (path, file) in &coverage.files {
        let path = Path::new(path)
            .strip_prefix(source)
            .unwrap_or(path.as_ref());
        let folder = path.parent().unwrap_or(Path::new(""));
        let class = Class {
            name: path.file_name().unwrap_or_default().one_line().into_owned(),
            file_name: path.one_line().into_owned(),
            file,
        };
        let package = folder.one_line().replace('/', ".");
        packages.entry(package).or_default().push(class);
    }
    let total = Rates::of(coverage.files.values());
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    let mut write = || -> io::Result<()> {
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let doctype = "coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\"";
        xml.write_event(Event::DocType(BytesText::from_escaped(doctype)))?;
        xml.create_element("coverage")
            .with_attributes(borrowed(&total.attributes()))
            .with_attributes([
                ("lines-covered", total.lines.covered.to_string().as_str()),
                ("lines-valid", &total.lines.total.to_string()),
                ("branches-covered", &total.branches.covered.to_string()),
                ("branches-valid", &total.branches.total.to_string()),
                ("version", &format!("everypath {version}")),
                ("timestamp", &timestamp.to_string()),
            ])
            .write_inner_content(|xml| {
                xml.create_element("sources")
                    .write_inner_content(|xml| text(xml, "source", &source.one_line()))?;
                xml.create_element("packages").write_inner_content(|xml| {
                    let mut packages = packages.iter();
                    packages.try_for_each(|(name, classes)| package(xml, name, classes))
                })?;
                Ok(())
            })?;
        Ok(())
    };
    write().expect("writing to memory does not fail");
    let mut text = String::from_utf8(xml.into_inner()).expect("text was written");
    text.push('\n');
    text
}

type Xml = Writer<Vec<u8>>;

struct Class<'c> {
    name: String,
    file_name: String,
    file: &'c FileCoverage,
}

/// How much of something was reached.
struct Rates {
    lines: Share,
    branches: Share,
}

impl Rates {
    fn of<'c>(files: impl Iterator<Item = &'c FileCoverage>) -> Rates {
        let mut rates = Rates {
            lines: Share::default(),
            branches: Share::default(),
        };
        for file in files {
            rates.lines.total += file.lines.len() as u64;
            rates.lines.covered += file.lines.values().filter(|&&hits| hits > 0).count() as u64;
            rates.branches.total += file.branches.len() as u64;
            let taken = file.branches.iter().filter(|branch| branch.taken > Some(0));
            rates.branches.covered += taken.count() as u64;
        }
        rates
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        let rate = |share: Share| format!("{:.4}", share.percent() / 100.0);
        vec![
            ("line-rate", rate(self.lines)),
            ("branch-rate", rate(self.branches)),
            ("complexity", "0".to_owned()),
        ]
    }
}

fn package(xml: &mut Xml, name: &str, classes: &[Class<'_>]) -> io::Result<()> {
    let rates = Rates::of(classes.iter().map(|class| class.file));
    xml.create_element("package")
        .with_attribute(("name", visible(name).as_str()))
        .with_attributes(borrowed(&rates.attributes()))
        .write_inner_content(|xml| {
            xml.create_element("classes").write_inner_content(|xml| {
                let mut classes = classes.iter();
                classes.try_for_each(|class| write_class(xml, class))
            })?;
            Ok(())
        })?;
    Ok(())
}

fn write_class(xml: &mut Xml, class: &Class<'_>) -> io::Result<()> {
    let rates = Rates::of(std::iter::once(class.file));
    xml.create_element("class")
        .with_attributes([
            ("name", visible(&class.name).as_str()),
            ("filename", &visible(&class.file_name)),
        ])
        .with_attributes(borrowed(&rates.attributes()))
        .write_inner_content(|xml| {
            xml.create_element("methods").write_inner_content(|xml| {
                for function in &class.file.functions {
                    let entered = if function.hits > 0 { "1.0" } else { "0.0" };
                    xml.create_element("method")
                        .with_attributes([
                            ("name", visible(&function.name).as_str()),
                            ("signature", ""),
                            ("line-rate", entered),
                            ("branch-rate", entered),
                        ])
                        .write_inner_content(|xml| {
                            xml.create_element("lines").write_inner_content(|xml| {
                                line(xml, function.line, function.hits, &[])
                            })?;
                            Ok(())
                        })?;
                }
                Ok(())
            })?;
            xml.create_element("lines").write_inner_content(|xml| {
                for (&number, &hits) in &class.file.lines {
                    let here = class.file.branches.iter().filter(|it| it.line == number);
                    line(xml, number, hits, &here.collect::<Vec<_>>())?;
                }
                Ok(())
            })?;
            Ok(())
        })?;
    Ok(())
}

fn line(xml: &mut Xml, number: u32, hits: u64, branches: &[&BranchCoverage]) -> io::Result<()> {
    let (number, hits) = (number.to_string(), hits.to_string());
    let element = xml
        .create_element("line")
        .with_attributes([("number", number.as_str()), ("hits", &hits)]);
    if branches.is_empty() {
        element.with_attribute(("branch", "false")).write_empty()?;
        return Ok(());
    }
    let taken = branches
        .iter()
        .filter(|branch| branch.taken > Some(0))
        .count();
    let share = format!(
        "{}% ({taken}/{})",
        taken * 100 / branches.len(),
        branches.len()
    );
    let mut blocks: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for branch in branches {
        let (taken, all) = blocks.entry(branch.block).or_default();
        *taken += usize::from(branch.taken > Some(0));
        *all += 1;
    }
    element
        .with_attributes([("branch", "true"), ("condition-coverage", &share)])
        .write_inner_content(|xml| {
            xml.create_element("conditions")
                .write_inner_content(|xml| {
                    for (number, (taken, all)) in blocks.values().enumerate() {
                        xml.create_element("condition")
                            .with_attributes([
                                ("number", number.to_string().as_str()),
                                ("type", "jump"),
                                ("coverage", &format!("{}%", taken * 100 / all)),
                            ])
                            .write_empty()?;
                    }
                    Ok(())
                })?;
            Ok(())
        })?;
    Ok(())
}

fn text(xml: &mut Xml, name: &str, content: &str) -> io::Result<()> {
    let content = BytesText::new(&visible(content)).into_owned();
    xml.create_element(name).write_text_content(content)?;
    Ok(())
}

/// XML has no way to write control characters.
fn visible(text: &str) -> String {
    base::escape::visible(text).into_owned()
}

fn borrowed<'a>(attributes: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    let attributes = attributes.iter();
    attributes
        .map(|(name, value)| (*name, value.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use suite::lcov::FunctionCoverage;

    #[test]
    fn folders_are_packages_and_branches_are_conditions() {
        let branch = |block, branch, taken| BranchCoverage {
            line: 4,
            block,
            branch,
            taken,
        };
        let file = FileCoverage {
            functions: vec![FunctionCoverage {
                name: "operator<<".to_owned(),
                line: 3,
                hits: 1,
            }],
            lines: [(3, 1), (4, 1), (5, 0)].into(),
            branches: vec![
                branch(0, 0, Some(1)),
                branch(0, 1, Some(0)),
                branch(1, 0, None),
                branch(1, 1, None),
            ],
        };
        let mut coverage = Coverage::default();
        coverage.files.insert("/p/src/lib/a.cpp".to_owned(), file);
        assert_eq!(
            cobertura(&coverage, Path::new("/p"), "1.0", 7),
            r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="0.6667" branch-rate="0.2500" complexity="0" lines-covered="2" lines-valid="3" branches-covered="1" branches-valid="4" version="everypath 1.0" timestamp="7">
  <sources>
    <source>/p</source>
  </sources>
  <packages>
    <package name="src.lib" line-rate="0.6667" branch-rate="0.2500" complexity="0">
      <classes>
        <class name="a.cpp" filename="src/lib/a.cpp" line-rate="0.6667" branch-rate="0.2500" complexity="0">
          <methods>
            <method name="operator&lt;&lt;" signature="" line-rate="1.0" branch-rate="1.0">
              <lines>
                <line number="3" hits="1" branch="false"/>
              </lines>
            </method>
          </methods>
          <lines>
            <line number="3" hits="1" branch="false"/>
            <line number="4" hits="1" branch="true" condition-coverage="25% (1/4)">
              <conditions>
                <condition number="0" type="jump" coverage="50%"/>
                <condition number="1" type="jump" coverage="0%"/>
              </conditions>
            </line>
            <line number="5" hits="0" branch="false"/>
          </lines>
        </class>
      </classes>
    </package>
  </packages>
</coverage>
"#
        );
    }
}
