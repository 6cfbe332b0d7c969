//! Graphviz export of the part that the root reaches, drawn as Li et al. (2022) draw it: OR nodes
//! are squares, AND nodes circles, leaves plain text.
//!
//! [`Dot`] implements `Display`, so one `write!` sends it to any `fmt::Write` or `io::Write`. Nodes
//! are numbered in breadth-first order, so the same graph gives the same text. Cost: one hash
//! look-up per edge.

use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, Interner, Kind};

use crate::shape::Shape;

/// A drawing of a graph. See the [module page](self).
///
/// ```
/// use meetjoin_dag::GraphBuilder;
/// use meetjoin_file::Dot;
///
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["x", "x"])?;
/// builder.leaf("x", 5)?;
/// let built = builder.build(&"r")?;
/// let dot = Dot::new(&built.graph, |&leaf, out: &mut dyn std::fmt::Write| {
///     match built.graph.leaf_ordinal(leaf) {
///         Some(ordinal) => write!(out, "{}", built.values[ordinal]),
///         None => Ok(()),
///     }
/// });
/// assert!(dot.to_string().contains("n0 -> n1;"));
/// # Ok::<(), meetjoin_dag::GraphError<&str>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dot<'a, D, F> {
    dag: &'a D,
    value: F,
}

impl<'a, D, F> Dot<'a, D, F>
where
    D: AndOrDag,
    F: Fn(&D::Node, &mut dyn Write) -> fmt::Result,
{
    /// A drawing in which `value` writes the value of a leaf; [`AndOrDag::name`] writes the names.
    pub fn new(dag: &'a D, value: F) -> Self {
        Self { dag, value }
    }

    fn write_node(&self, number: u32, node: &D::Node, out: &mut dyn Write) -> fmt::Result {
        let kind = self.dag.kind(node);
        let shape = Shape::of(kind).graphviz();
        write!(out, "  n{number} [shape={shape}, label=\"")?;
        self.dag.name(node, &mut Escaped(out))?;
        if kind == Kind::Leaf {
            out.write_str("\\n")?;
            (self.value)(node, &mut Escaped(out))?;
        }
        out.write_str("\"];\n")
    }
}

impl<D, F> fmt::Display for Dot<'_, D, F>
where
    D: AndOrDag,
    F: Fn(&D::Node, &mut dyn Write) -> fmt::Result,
{
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Children are ordered from left to right; a fixed minimal size would waste space on short
        // names.
        out.write_str(
            "digraph {\n  graph [ordering=out];\n  node [width=0.3, height=0.3, margin=0.05];\n",
        )?;
        let mut met: Interner<D::Node> = Interner::default();
        let number_of = |node: &D::Node, met: &mut Interner<D::Node>| {
            met.intern(node, |other| other == node, || node.clone())
                .ok_or(fmt::Error)
        };
        number_of(&self.dag.root(), &mut met)?;
        let mut children = Vec::new();
        let mut next = 0;
        while let Some(node) = met.get(next).cloned() {
            self.write_node(next, &node, out)?;
            if self.dag.kind(&node) != Kind::Leaf {
                children.clear();
                self.dag.children(&node, &mut children);
                for child in &children {
                    let child = number_of(child, &mut met)?;
                    writeln!(out, "  n{next} -> n{child};")?;
                }
            }
            next += 1;
        }
        out.write_str("}\n")
    }
}

/// Escapes text for a quoted label: quotes end it, backslashes begin Graphviz's own escapes, `&`
/// its HTML entities; other control characters cannot be drawn.
struct Escaped<'a>(&'a mut dyn Write);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match c {
                '"' => self.0.write_str("\\\"")?,
                '\\' => self.0.write_str("\\\\")?,
                '&' => self.0.write_str("&amp;")?,
                '\n' => self.0.write_str("\\n")?,
                c if c.is_control() => self.0.write_char(char::REPLACEMENT_CHARACTER)?,
                c => self.0.write_char(c)?,
            }
        }
        Ok(())
    }
}
