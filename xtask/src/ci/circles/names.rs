//! Name resolution: the modules of a crate, what each defines and imports, and the file that
//! defines the item of a path.

use std::collections::{BTreeMap, BTreeSet};

use super::tokens::tokens;

/// Parts of a path: `crate::a::b` is `["crate", "a", "b"]`; a module is named by its path from the
/// root.
type Path<'a> = Vec<&'a str>;

#[derive(Debug, Default)]
struct Module<'a> {
    file: &'a str,
    items: BTreeSet<&'a str>,
    /// Names that `use` imports, and their paths.
    bound: BTreeMap<&'a str, Path<'a>>,
    globs: Vec<Path<'a>>,
    /// The paths used here: by imports that are not re-exported, and by code.
    used: BTreeSet<Path<'a>>,
}

/// The modules of a crate.
#[derive(Debug, Default)]
pub(crate) struct Modules<'a> {
    all: BTreeMap<Path<'a>, Module<'a>>,
    /// Modules that exist in tests only.
    of_tests: BTreeSet<Path<'a>>,
}

/// What a path means.
enum Meaning<'a> {
    Module(Path<'a>),
    /// An item: the file that defines it, and its name.
    Item(&'a str, &'a str),
}

/// The longest chain of imports that is followed; no crate has one as long.
const FUEL: u32 = 16;

/// Words that are followed by the name of an item.
const DEFINE: [&str; 9] = [
    "fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod",
];

impl<'a> Modules<'a> {
    /// Reads the files of a crate; their names are paths below its `src`.
    pub(crate) fn read(files: &'a [(String, String)]) -> Self {
        let mut modules = Self::default();
        for (file, source) in files {
            let path = file.strip_suffix(".rs").unwrap_or(file).split('/');
            let path = path.filter(|part| !["lib", "main", "mod"].contains(part));
            modules.module(file, path.collect(), &tokens(source));
        }
        let Self { all, of_tests } = &mut modules;
        all.retain(|path, _| !of_tests.iter().any(|of_tests| path.starts_with(of_tests)));
        modules
    }

    /// Each file with the others whose names it uses, and one such name of each.
    pub(crate) fn uses(&self) -> BTreeMap<&'a str, BTreeMap<&'a str, &'a str>> {
        let mut uses: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for (at, module) in &self.all {
            let of_file = uses.entry(module.file).or_default();
            for path in &module.used {
                if let Some(Meaning::Item(file, name)) = self.meaning(at, path, FUEL)
                    && file != module.file
                {
                    of_file.entry(file).or_insert(name);
                }
            }
        }
        uses
    }

    /// Reads what is between the braces of a module, or in its file.
    fn module(&mut self, file: &'a str, path: Path<'a>, tokens: &[&'a str]) {
        let mut module = Module {
            file,
            ..Module::default()
        };
        let (mut at, mut depth, mut passed_on) = (0, 0, false);
        while let Some(&token) = tokens.get(at) {
            let next = tokens.get(at + 1).copied().unwrap_or_default();
            let after = tokens.get(at + 2).copied().unwrap_or_default();
            let before = tokens.get(at.wrapping_sub(1)).copied().unwrap_or_default();
            match token {
                "#" => {
                    let (end, is_test) = attribute(&tokens[at..]);
                    at += end;
                    if is_test {
                        let (end, module) = item(&tokens[at..]);
                        at += end;
                        let child = module.map(|name| [&path[..], &[name]].concat());
                        self.of_tests.extend(child);
                    }
                    continue;
                }
                "{" => depth += 1,
                "}" => depth -= 1,
                "pub" => {
                    at += 1;
                    if next == "(" {
                        at += group(&tokens[at..]);
                    }
                    passed_on = true;
                    continue;
                }
                "use" if next != "<" => {
                    let end = tokens[at..].iter().position(|token| *token == ";");
                    let end = at + end.unwrap_or(tokens.len() - at);
                    module.import(&tokens[at + 1..end], &[], passed_on);
                    at = end;
                }
                "mod" if after == "{" => {
                    let end = at + 2 + group(&tokens[at + 2..]);
                    let child = [&path[..], &[next]].concat();
                    self.module(file, child, &tokens[at + 3..end - 1]);
                    at = end;
                    continue;
                }
                "macro_rules" if next == "!" => {
                    module.items.insert(after);
                    at += 2;
                }
                _ if depth == 0 && DEFINE.contains(&token) && is_name(next) => {
                    // Not the parameter of a generic item.
                    if !["<", ","].contains(&before) && token != "mod" {
                        module.items.insert(next);
                    }
                    if !DEFINE.contains(&next) {
                        at += 1;
                    }
                }
                _ if is_name(token) => {
                    let mut used = vec![token];
                    while tokens.get(at + 1) == Some(&"::")
                        && let Some(part) = tokens.get(at + 2).filter(|part| is_name(part))
                    {
                        used.push(part);
                        at += 2;
                    }
                    // Fields and methods are not resolved.
                    if used.len() > 1 || before != "." && next != ":" {
                        module.used.insert(used);
                    }
                }
                _ => {}
            }
            passed_on = false;
            at += 1;
        }
        self.all.insert(path, module);
    }

    /// What a path means that is read in a module; `None` if it is of another crate.
    fn meaning(&self, at: &[&'a str], path: &[&'a str], fuel: u32) -> Option<Meaning<'a>> {
        let parent = |of: &[&'a str]| of[..of.len().saturating_sub(1)].to_vec();
        let (first, rest) = path.split_first()?;
        let mut here = match *first {
            "crate" => Vec::new(),
            "self" => at.to_vec(),
            "super" => parent(at),
            name => match self.named(at, name, rest.is_empty(), fuel)? {
                Meaning::Module(module) => module,
                item @ Meaning::Item(..) => return Some(item),
            },
        };
        for (place, name) in rest.iter().enumerate() {
            here = match *name {
                "self" => here,
                "super" => parent(&here),
                name => match self.named(&here, name, place + 1 == rest.len(), fuel) {
                    Some(Meaning::Module(module)) => module,
                    Some(item) => return Some(item),
                    // A macro may define it.
                    None => return Some(Meaning::Item(self.all.get(&here)?.file, name)),
                },
            };
        }
        Some(Meaning::Module(here))
    }

    /// What a name means in a module. A module and an item may have one name; only the module has
    /// names in it.
    fn named(&self, at: &[&'a str], name: &'a str, last: bool, fuel: u32) -> Option<Meaning<'a>> {
        let fuel = fuel.checked_sub(1)?;
        let module = self.all.get(at)?;
        let child = [at, &[name]].concat();
        let is_child = self.all.contains_key(&child);
        if is_child && !last {
            return Some(Meaning::Module(child));
        }
        if module.items.contains(name) {
            return Some(Meaning::Item(module.file, name));
        }
        let bound = module.bound.get(name);
        let bound = bound.and_then(|path| self.meaning(at, path, fuel));
        let through = |glob: &Path<'a>| match self.meaning(at, glob, fuel)? {
            Meaning::Module(module) => self.named(&module, name, last, fuel),
            Meaning::Item(..) => None,
        };
        bound
            .or_else(|| is_child.then_some(Meaning::Module(child)))
            .or_else(|| module.globs.iter().find_map(through))
    }
}

impl<'a> Module<'a> {
    /// One tree of a `use`, below a path.
    fn import(&mut self, tree: &[&'a str], below: &[&'a str], passed_on: bool) {
        let brace = tree.iter().position(|token| *token == "{");
        let names = tree[..brace.unwrap_or(tree.len())].split(|token| *token == "as");
        let mut names = names.map(|part| part.iter().copied().filter(|token| *token != "::"));
        let mut path = below.to_vec();
        path.extend(names.next().into_iter().flatten());
        if let Some(brace) = brace {
            let inside = &tree[brace + 1..tree.len() - 1];
            let mut depth = 0;
            let branches = inside.split(|token| {
                depth += i32::from(*token == "{") - i32::from(*token == "}");
                *token == "," && depth == 0
            });
            for branch in branches.filter(|branch| !branch.is_empty()) {
                self.import(branch, &path, passed_on);
            }
            return;
        }
        if path.last() == Some(&"self") && path.len() > 1 {
            path.pop();
        }
        let Some(&last) = path.last() else {
            return;
        };
        if last == "*" {
            path.pop();
            self.globs.push(path);
            return;
        }
        let name = names
            .next()
            .and_then(|mut name| name.next())
            .unwrap_or(last);
        self.bound.insert(name, path.clone());
        if !passed_on {
            self.used.insert(path);
        }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c == '_' || c.is_alphabetic())
}

/// The length of what a bracket opens.
fn group(tokens: &[&str]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        depth += i32::from(["(", "[", "{"].contains(token));
        depth -= i32::from([")", "]", "}"].contains(token));
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The length of an attribute, and whether it makes an item exist in tests only.
fn attribute(tokens: &[&str]) -> (usize, bool) {
    let Some(open) = tokens.iter().take(3).position(|token| *token == "[") else {
        return (1, false);
    };
    let end = open + group(&tokens[open..]);
    let inside = &tokens[open + 1..end];
    let is_test = inside.first() == Some(&"cfg")
        && inside.contains(&"test")
        && !inside.contains(&"not")
        && !inside.contains(&"any");
    (end, is_test)
}

/// The length of an item, and its name if it is a module.
fn item<'a>(tokens: &[&'a str]) -> (usize, Option<&'a str>) {
    let (mut at, mut module, mut imports) = (0, None, false);
    while let Some(token) = tokens.get(at) {
        match *token {
            "#" => {
                at += attribute(&tokens[at..]).0;
                continue;
            }
            "mod" => module = tokens.get(at + 1).copied(),
            "use" => imports = true,
            ";" => return (at + 1, module),
            "(" | "[" | "{" => {
                at += group(&tokens[at..]);
                if *token == "{" && !imports {
                    return (at, module);
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    (at, module)
}
