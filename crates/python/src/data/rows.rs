//! A graph as rows of children, in arrays that come from Python.

use meetjoin_dag::{AndOrDag as _, Kind, Names, NodeId, NodeName, Problem};
use meetjoin_file::print_value;
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Decimal, Extended, Lattice as _, Words};
use meetjoin_problems::Source;
use meetjoin_solve::Refused;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::data::lattice::Lattice;
use crate::data::value;
use crate::error::refused;

/// Kinds, offsets and children as bytes, the root, and the values of the leaves.
pub(crate) type Arrays<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    u32,
    Vec<Py<PyAny>>,
);

/// The arrays of a problem.
pub(crate) fn arrays<'py>(py: Python<'py>, problem: &Problem<AnyLattice>) -> PyResult<Arrays<'py>> {
    let (graph, mut row) = (problem.graph(), Vec::new());
    let (mut kinds, mut offsets) = (Vec::new(), 0_i64.to_ne_bytes().to_vec());
    let mut children = Vec::new();
    for node in 0..graph.node_count() as u32 {
        let node = NodeId::from(node);
        let kind = graph.kind(node);
        kinds.push(match kind {
            Kind::Leaf => 0,
            Kind::And => 1,
            Kind::Or => 2,
        });
        row.clear();
        if kind != Kind::Leaf {
            problem.children(&node, &mut row);
        }
        children.extend(
            row.iter()
                .flat_map(|&child| i64::from(u32::from(child)).to_ne_bytes()),
        );
        offsets.extend((children.len() as u64 / 8).to_ne_bytes());
    }
    let (lattice, values) = (problem.lattice(), problem.values().list());
    let values = values.iter().map(|of| value::element(py, lattice, of));
    let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
    let root = u32::from(graph.root());
    Ok((
        bytes(&kinds),
        bytes(&offsets),
        bytes(&children),
        root,
        values.collect::<PyResult<_>>()?,
    ))
}

/// The arrays of a problem file in memory, if it lists its nodes.
#[pyfunction]
pub(crate) fn arrays_of_text<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Option<Arrays<'py>>> {
    // A `Source` may not be `Send`, so the interpreter stays attached: this only reads.
    match Source::read(text).map_err(refused)? {
        Source::Problem(problem) => arrays(py, &problem).map(Some),
        _ => Ok(None),
    }
}

/// The arrays.
pub(crate) struct Rows<'a> {
    /// 0 for a leaf, 1 for AND, 2 for OR.
    kinds: &'a [u8],
    /// The children of node i are `children[offsets[i]..offsets[i + 1]]`.
    offsets: Vec<i64>,
    children: Vec<i64>,
    root: usize,
    lattice: AnyLattice,
    /// One for each leaf.
    values: Vec<AnyElem>,
}

fn problem(error: impl ToString) -> Refused {
    Refused::Problem(error.to_string())
}

/// The bytes of an array of 64-bit integers of this machine.
fn integers(bytes: &[u8]) -> PyResult<Vec<i64>> {
    let (words, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(refused(
            "an array of 64-bit integers has a multiple of 8 bytes",
        ));
    }
    Ok(words.iter().map(|word| i64::from_ne_bytes(*word)).collect())
}

/// The values of leaves: an array of numbers, or a list of JSON texts. `name` is what an error
/// calls a leaf, by its place.
fn leaf_values(
    lattice: &AnyLattice,
    values: &Bound<'_, PyAny>,
    name: impl Fn(usize) -> String,
) -> PyResult<Vec<AnyElem>> {
    if let Ok(list) = values.cast::<PyList>() {
        return value::read_all(lattice, list, name);
    }
    let bytes = values.cast::<PyBytes>()?.as_bytes();
    let values = match lattice {
        AnyLattice::Bool(_) => bytes.iter().map(|&b| AnyElem::Bool(b != 0)).collect(),
        AnyLattice::Integers(_) => {
            let values = integers(bytes)?.into_iter();
            values
                .map(|v| AnyElem::Integer(Extended::Finite(v)))
                .collect()
        }
        AnyLattice::Decimals(_) => {
            let values = integers(bytes)?.into_iter().enumerate();
            let values = values.map(|(leaf, bits)| {
                let value = Decimal::new(f64::from_bits(bits.cast_unsigned()));
                value
                    .map(AnyElem::Decimal)
                    .ok_or_else(|| refused(format!("{}: the value is not a number", name(leaf))))
            });
            values.collect::<PyResult<Vec<_>>>()?
        }
        AnyLattice::SmallPowerset(_) => {
            let values = integers(bytes)?.into_iter();
            values
                .map(|v| AnyElem::SmallSet(Words([v.cast_unsigned()])))
                .collect()
        }
        _ => {
            return Err(refused(
                "leaf values of this lattice are a list, one value each",
            ));
        }
    };
    let (bottom, top, free) = (lattice.bottom(), lattice.top(), Budget::unlimited());
    let outside = values.iter().position(|value| {
        lattice.leq(&bottom, value, &free) != Ok(true)
            || lattice.leq(value, &top, &free) != Ok(true)
    });
    match outside {
        Some(leaf) => {
            let (name, mut value) = (name(leaf), String::new());
            print_value(lattice, &values[leaf], &mut value);
            Err(refused(format!(
                "{name}: the value {value} lies outside the lattice"
            )))
        }
        None => Ok(values),
    }
}

impl<'a> Rows<'a> {
    pub(crate) fn new(
        kinds: &'a [u8],
        offsets: &[u8],
        children: &[u8],
        root: usize,
        lattice: &Lattice,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Ok(Self {
            kinds,
            offsets: integers(offsets)?,
            children: integers(children)?,
            root,
            lattice: lattice.0.clone(),
            values: leaf_values(&lattice.0, values, |leaf| {
                let mut leaves = (0..kinds.len()).filter(|node| kinds[*node] == 0);
                let node = leaves.nth(leaf);
                node.map_or_else(|| format!("value {leaf}"), |node| format!("node {node}"))
            })?,
        })
    }

    /// The problem, with these names or with numbers from 0.
    pub(crate) fn problem(
        self,
        names: Option<Vec<NodeName>>,
    ) -> Result<Problem<AnyLattice>, Refused> {
        let (kinds, offsets) = (self.kinds, self.offsets);
        if offsets.len() != kinds.len() + 1 {
            let (found, needed) = (offsets.len(), kinds.len() + 1);
            return Err(Refused::Problem(format!(
                "{found} offsets for {} nodes; there must be {needed}",
                kinds.len()
            )));
        }
        let node = |number: i64| {
            let number = u32::try_from(number)
                .ok()
                .filter(|&n| (n as usize) < kinds.len());
            number
                .map(NodeId::from)
                .ok_or_else(|| Refused::Problem("a child is no node of the graph".to_owned()))
        };
        let mut rows =
            meetjoin_dag::Rows::with_capacity(kinds.len(), self.children.len()).map_err(problem)?;
        for (number, kind) in kinds.iter().enumerate() {
            let row = usize::try_from(offsets[number])
                .ok()
                .zip(usize::try_from(offsets[number + 1]).ok());
            let row = row.and_then(|(first, end)| self.children.get(first..end));
            let row = row.ok_or_else(|| {
                Refused::Problem(format!(
                    "the offsets of node {number} are not those of a row of children"
                ))
            })?;
            let children = row
                .iter()
                .map(|&child| node(child))
                .collect::<Result<Vec<_>, _>>()?;
            let added = match kind {
                0 if children.is_empty() => rows.leaf(),
                0 => {
                    let why = format!("node {number} is a leaf and has children");
                    return Err(Refused::Problem(why));
                }
                1 => rows.and(children),
                2 => rows.or(children),
                _ => {
                    return Err(Refused::Problem(format!(
                        "node {number} is of kind {kind}; 0 is a leaf, 1 AND, 2 OR"
                    )));
                }
            };
            added.map_err(problem)?;
        }
        let root = node(i64::try_from(self.root).unwrap_or(-1))
            .map_err(|_| Refused::Problem("the root is no node of the graph".to_owned()))?;
        let graph = rows.finish(root).map_err(problem)?;
        let names = names.map_or(
            Names::From {
                first: 0,
                count: kinds.len(),
            },
            Names::from,
        );
        Problem::from_parts(graph, names, self.lattice, self.values.into()).map_err(problem)
    }
}
