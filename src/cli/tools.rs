//! `misfire tools`: list the definitions, or show one as a tree of parameters.

use super::profile::ProfileArgs;
use super::{Config, FAILED, OK, Streams, load_catalog};
use crate::definition::{Catalog, Constraint, Definition, Parameter};
use crate::gate::Profile;
use crate::json::{Value, Visible};
use std::io;
use std::path::PathBuf;

/// List the tool definitions, or show one as a tree of parameters
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Show this tool
    name: Option<String>,
    /// A folder or file of tool definitions, or a set such as @claude-code (repeatable) [default: tools, or what misfire.toml says]
    #[arg(long, value_name = "PATH")]
    tools: Vec<PathBuf>,
    /// text for people, json for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Runs the command.
pub(super) fn run(args: &Args, config: &Config, streams: &mut Streams<'_>) -> io::Result<u8> {
    let (catalog, unreadable) = load_catalog(&args.tools, config, streams)?;
    let shown = match &args.name {
        Some(name) => one(name, &catalog, args.format, ProfileArgs::default().profile(config), streams)?,
        None => list(&catalog, args.format, streams)?,
    };
    Ok(if unreadable { FAILED } else { shown })
}

fn list(catalog: &Catalog, format: Format, streams: &mut Streams<'_>) -> io::Result<u8> {
    let definitions = catalog.definitions();
    match format {
        Format::Json => {
            let objects: Vec<Value> = definitions.iter().map(|d| object(d)).collect();
            writeln!(streams.out, "{}", Value::from(objects).to_json_pretty(2))?;
        }
        Format::Text => {
            let names: Vec<String> = definitions.iter().map(|d| Visible::new(d.name()).into_string()).collect();
            let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).clamp(4, 40);
            for (name, definition) in names.iter().zip(definitions) {
                let count = definition.parameter_count();
                let parameters = format!("{count} parameter{}", if count == 1 { "" } else { "s" });
                let origin = definition.origin().name();
                writeln!(streams.out, "{name:width$}  {origin:7}  {parameters:13}  {}", Visible::new(&source(definition)))?;
            }
            writeln!(streams.out, "{} definitions", definitions.len())?;
        }
    }
    Ok(OK)
}

fn one(name: &str, catalog: &Catalog, format: Format, profile: Profile, streams: &mut Streams<'_>) -> io::Result<u8> {
    let Some(definition) = catalog.get(name) else {
        writeln!(streams.err, "misfire: no definition of `{}`; `misfire tools` lists what there is", Visible::new(name))?;
        return Ok(FAILED);
    };
    match format {
        Format::Json => {
            let mut value = object(definition);
            if let Value::Object(members) = &mut value {
                members.push("description", definition.description().into());
                members.push("definition", definition.view().into());
            }
            writeln!(streams.out, "{}", value.to_json_pretty(2))?;
        }
        Format::Text => {
            let (name, origin) = (Visible::new(definition.name()), definition.origin().name());
            writeln!(streams.out, "{name}  {origin}  {}", Visible::new(&source(definition)))?;
            for line in definition.description().map(|d| Visible::lines(d).collect::<Vec<_>>()).unwrap_or_default() {
                writeln!(streams.out, "  {line}")?;
            }
            let rows = definition.parameter_rows();
            if rows.is_empty() {
                writeln!(streams.out, "  no parameters")?;
            }
            for row in rows {
                writeln!(streams.out, "{}", parameter_line(&row, profile))?;
            }
        }
    }
    Ok(OK)
}

/// One parameter: `* path  string  one of "a"|"b"  default "a"  What it is.` A star marks a required one.
fn parameter_line(row: &Parameter, profile: Profile) -> String {
    let mut parts = vec![Visible::new(&row.name).into_string()];
    parts.push(if row.types.is_empty() { "any".to_owned() } else { Visible::new(&row.types).into_string() });
    if !row.values.is_empty() {
        parts.push(format!("one of {}", Visible::new(&row.values.join("|"))));
    }
    parts.extend(row.default.iter().map(|d| format!("default {}", Visible::new(d))));
    let (enforced, left_out): (Vec<_>, Vec<_>) = row.constraints.iter().partition(|c| profile.enforces(c.keyword));
    let list = |constraints: Vec<&Constraint>| constraints.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join(", ");
    if !enforced.is_empty() {
        parts.push(format!("({})", Visible::new(&list(enforced))));
    }
    if !left_out.is_empty() {
        parts.push(format!("({}: not enforced)", Visible::new(&list(left_out))));
    }
    parts.extend(row.description.iter().map(|d| Visible::new(d).into_string()));
    let indent = "  ".repeat(row.depth + 1);
    format!("{indent}{} {}", if row.required { '*' } else { ' ' }, parts.join("  "))
}

fn object(definition: &Definition) -> Value {
    let mut members = vec![
        ("name".into(), definition.name().into()),
        ("origin".into(), definition.origin().name().into()),
        ("source".into(), source(definition).into()),
        ("shape".into(), definition.shape().name().into()),
        ("parameters".into(), u32::try_from(definition.parameter_count()).unwrap_or(u32::MAX).into()),
    ];
    members.extend(definition.qualified_name().map(|name| ("also".into(), name.into())));
    Value::Object(members.into_iter().collect())
}

fn source(definition: &Definition) -> String {
    format!("{}:{}", definition.path().display(), definition.position().line)
}
