//! Lattices and games written in Python, under every algorithm.
//!
//! Idea: nodes are any hashable objects; each gets a number when it is first seen, and the search knows the numbers alone. Elements are Python
//! objects, compared by `==`. What a method raises is kept, the search ends at the next operation, and the caller raises it with its traceback.
//!
//! The trait that an algorithm needs is what the Python lattice says of itself; [`solve_game`] refuses the rest.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::sync::Arc;
use std::sync::atomic::{self, AtomicBool};
use std::time::Instant;

use meetjoin::dag::{AndOrDag, Kind, Valuation};
use meetjoin::lattice::{
    AnyElem, Budget, DistributiveLattice, ElemOf, Interval, Lattice, Licensed, Stop, TotalOrder,
};
use meetjoin::search::engine::{self, Task};
use meetjoin::search::method::{Algorithm, Needs};
use meetjoin::search::{Counts, Exit, Observer, Progress, Tables};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::error::refused;
use crate::limits::{Allowed, METER, Watch, algorithm};
use crate::problem::counters;
use crate::{lattice, value};

/// What Python raised first, and the way to stop the search.
struct Raised {
    error: RefCell<Option<PyErr>>,
    any: Cell<bool>,
    cancel: Arc<AtomicBool>,
}

thread_local! {
    /// Of the innermost search of this thread: a callback may start another.
    static RAISED: RefCell<Vec<Raised>> = const { RefCell::new(Vec::new()) };
}

fn raise(error: PyErr) {
    RAISED.with_borrow(|stack| {
        if let Some(raised) = stack.last()
            && !raised.any.replace(true)
        {
            *raised.error.borrow_mut() = Some(error);
            raised.cancel.store(true, atomic::Ordering::Relaxed);
        }
    });
}

fn has_raised() -> bool {
    RAISED.with_borrow(|stack| stack.last().is_some_and(|raised| raised.any.get()))
}

/// Calls Python, unless something was raised before.
fn call<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
    if has_raised() {
        return None;
    }
    Python::attach(|py| work(py).map_err(raise).ok())
}

/// An element of a lattice written in Python.
#[derive(Clone)]
struct Element(Arc<Py<PyAny>>);

impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&*other.0) || call(|py| self.0.bind(py).eq(other.0.bind(py))).unwrap_or(false)
    }
}

impl Eq for Element {}

impl Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&call(|py| Ok(self.0.bind(py).repr()?.to_string())).unwrap_or_default())
    }
}

/// A lattice written in Python: an object with `join`, `meet`, `leq`, `bottom` and `top`.
struct InPython {
    object: Py<PyAny>,
    bottom: Element,
    top: Element,
}

impl InPython {
    fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let end = |name| Ok::<_, PyErr>(Element(Arc::new(object.call_method0(name)?.unbind())));
        Ok(Self {
            bottom: end("bottom")?,
            top: end("top")?,
            object: object.clone().unbind(),
        })
    }

    fn combine(&self, name: &str, a: &mut Element, b: &Element) -> Result<(), Stop> {
        if Arc::ptr_eq(&a.0, &b.0) {
            return Ok(());
        }
        let combined = call(|py| {
            let arguments = (a.0.clone_ref(py), b.0.clone_ref(py));
            self.object.call_method1(py, name, arguments)
        });
        *a = Element(Arc::new(combined.ok_or(Stop::Cancelled)?));
        Ok(())
    }
}

impl Lattice for InPython {
    type Elem = Element;

    fn bottom(&self) -> Element {
        self.bottom.clone()
    }

    fn top(&self) -> Element {
        self.top.clone()
    }

    fn leq(&self, a: &Element, b: &Element, _: &Budget) -> Result<bool, Stop> {
        if Arc::ptr_eq(&a.0, &b.0) {
            return Ok(true);
        }
        let below = call(|py| {
            let arguments = (a.0.clone_ref(py), b.0.clone_ref(py));
            self.object
                .bind(py)
                .call_method1("leq", arguments)?
                .is_truthy()
        });
        below.ok_or(Stop::Cancelled)
    }

    fn join_assign(&self, a: &mut Element, b: &Element, _: &Budget) -> Result<(), Stop> {
        self.combine("join", a, b)
    }

    fn meet_assign(&self, a: &mut Element, b: &Element, _: &Budget) -> Result<(), Stop> {
        self.combine("meet", a, b)
    }
}

// Licences: the object says of itself what it is, and `solve_game` asks.
impl DistributiveLattice for InPython {}

impl TotalOrder for InPython {
    fn compare(&self, a: &Element, b: &Element) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        match self.leq(a, b, &Budget::unlimited()) {
            Ok(true) => Ordering::Less,
            Ok(false) => Ordering::Greater,
            Err(_) => Ordering::Equal,
        }
    }
}

/// A game written in Python: an object with `root`, `kind`, `children` and `leaf`. Each is asked once of a node: Python takes microseconds for a call, and a search comes back.
struct Game<L: Lattice> {
    methods: Methods,
    lattice: L,
    nodes: RefCell<Nodes>,
    values: RefCell<HashMap<u32, L::Elem>>,
    /// Makes a value of what `leaf` returns.
    read: Read<L>,
    /// Writes a value of a built-in lattice as JSON.
    write: Py<PyAny>,
    root: u32,
}

type Read<L> = fn(&L, &Bound<'_, PyAny>, &Bound<'_, PyAny>) -> PyResult<<L as Lattice>::Elem>;

/// The methods of a game, looked up once.
struct Methods {
    kind: Py<PyAny>,
    children: Py<PyAny>,
    leaf: Py<PyAny>,
}

impl Methods {
    fn of(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let method = |name| game.getattr(name).map(Bound::unbind);
        Ok(Self {
            kind: method("kind")?,
            children: method("children")?,
            leaf: method("leaf")?,
        })
    }
}

/// The nodes seen so far, by number.
struct Nodes {
    objects: Vec<Py<PyAny>>,
    kinds: Vec<Option<Kind>>,
    children: Vec<Option<Box<[u32]>>>,
    numbers: Py<PyDict>,
}

impl Nodes {
    fn number(&mut self, node: Bound<'_, PyAny>) -> PyResult<u32> {
        let py = node.py();
        let numbers = self.numbers.bind(py);
        if let Some(number) = numbers.get_item(&node)? {
            return number.extract();
        }
        let number = u32::try_from(self.objects.len())
            .map_err(|_| refused("a game has more nodes than fit in 32 bits"))?;
        numbers.set_item(&node, number)?;
        self.objects.push(node.unbind());
        self.kinds.push(None);
        self.children.push(None);
        Ok(number)
    }
}

impl<L: Lattice> Game<L> {
    fn node<'py>(&self, py: Python<'py>, node: u32) -> Bound<'py, PyAny> {
        self.nodes.borrow().objects[node as usize].bind(py).clone()
    }

    fn count(&self) -> usize {
        self.nodes.borrow().objects.len()
    }
}

impl<L: Lattice> AndOrDag for Game<L> {
    type Node = u32;

    fn root(&self) -> u32 {
        self.root
    }

    fn kind(&self, node: &u32) -> Kind {
        if let Some(kind) = self.nodes.borrow().kinds[*node as usize] {
            return kind;
        }
        let kind = call(|py| {
            let object = self.node(py, *node);
            let kind = self.methods.kind.bind(py).call1((&object,))?;
            match kind.cast::<PyString>()?.to_cow()?.as_ref() {
                "leaf" => Ok(Kind::Leaf),
                "and" => Ok(Kind::And),
                "or" => Ok(Kind::Or),
                other => Err(refused(format!(
                    "the kind of {} is {other:?}; it must be \"leaf\", \"and\" or \"or\"",
                    short(&object)
                ))),
            }
        });
        if let Some(kind) = kind {
            self.nodes.borrow_mut().kinds[*node as usize] = Some(kind);
        }
        kind.unwrap_or(Kind::Leaf)
    }

    fn children(&self, node: &u32, out: &mut Vec<u32>) {
        if let Some(children) = &self.nodes.borrow().children[*node as usize] {
            out.extend_from_slice(children);
            return;
        }
        let before = out.len();
        let asked = call(|py| {
            let object = self.node(py, *node);
            let children = self.methods.children.bind(py).call1((&object,))?;
            for child in children.try_iter()? {
                let number = self.nodes.borrow_mut().number(child?)?;
                out.push(number);
            }
            if out.len() == before {
                return Err(refused(format!(
                    "{} is an inner node and has no children",
                    short(&object)
                )));
            }
            Ok(())
        });
        if asked.is_some() {
            let children = out[before..].into();
            self.nodes.borrow_mut().children[*node as usize] = Some(children);
        }
    }
}

impl<L: Lattice> Valuation<u32> for Game<L> {
    type Lattice = L;

    fn lattice(&self) -> &L {
        &self.lattice
    }

    fn leaf(&self, node: &u32) -> ElemOf<L> {
        if let Some(value) = self.values.borrow().get(node) {
            return value.clone();
        }
        let value = call(|py| {
            let object = self.node(py, *node);
            let value = self.methods.leaf.bind(py).call1((object,))?;
            (self.read)(&self.lattice, &value, self.write.bind(py))
        });
        let Some(value) = value else {
            return self.lattice.bottom();
        };
        self.values.borrow_mut().insert(*node, value.clone());
        value
    }
}

/// The beginning of how Python shows an object.
fn short(object: &Bound<'_, PyAny>) -> String {
    let text = object
        .repr()
        .map(|text| text.to_string())
        .unwrap_or_default();
    if text.chars().count() <= 60 {
        return text;
    }
    text.chars().take(57).chain("...".chars()).collect()
}

/// Counts, looks after signals, and notices a game that goes in circles: a line of play longer than there are nodes.
struct Seen<'g, L: Lattice> {
    counts: Counts,
    watch: Watch,
    game: &'g Game<L>,
    depth: usize,
    show: &'g dyn Fn(Python<'_>, &dyn std::any::Any) -> Option<String>,
}

impl<L: Lattice<Elem: 'static>> Observer<u32, L::Elem> for Seen<'_, L> {
    fn enter(&mut self, node: &u32, window: Option<(&L::Elem, &L::Elem)>) {
        Observer::<u32, L::Elem>::enter(&mut self.counts, node, window);
        self.depth += 1;
        if self.depth > self.game.count() {
            call(|py| {
                let node = short(&self.game.node(py, *node));
                Err::<(), _>(refused(format!("the game has a cycle through {node}")))
            });
        }
    }

    fn exit(&mut self, _: &u32, _: Exit<'_, L::Elem>) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn leaf(&mut self, node: &u32) {
        Observer::<u32, L::Elem>::leaf(&mut self.counts, node);
    }

    fn cache_hit(&mut self, node: &u32) {
        Observer::<u32, L::Elem>::cache_hit(&mut self.counts, node);
    }

    fn probe(&mut self, node: &u32) {
        Observer::<u32, L::Elem>::probe(&mut self.counts, node);
    }

    fn cutoff(&mut self, node: &u32, skipped: usize) {
        Observer::<u32, L::Elem>::cutoff(&mut self.counts, node, skipped);
    }

    fn wants_progress(&mut self) -> bool {
        self.watch.look()
    }

    fn progress(&mut self, progress: Progress<'_, L::Elem>) {
        let text =
            |value: &L::Elem| Python::attach(|py| (self.show)(py, value)).unwrap_or_default();
        let (lower, upper) = (text(progress.lower), text(progress.upper));
        meetjoin_solve::Progress::show(
            &mut self.watch,
            &meetjoin_solve::Moment {
                visits: progress.visits,
                entries: progress.entries,
                known: meetjoin_solve::Known::Between(lower, upper),
            },
        );
    }
}

/// Solves a game written in Python over a lattice of files (with `write`, which makes JSON of a value) or one written in Python, which is `needs`:
/// "Lattice", "DistributiveLattice" or "TotalOrder".
#[pyfunction]
#[pyo3(signature = (game, lattice, needs, write, algorithm, time_limit, max_visits, max_memory, moves, progress))]
pub(crate) fn solve_game<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    lattice: &Bound<'py, PyAny>,
    needs: &str,
    write: Py<PyAny>,
    algorithm: Option<&str>,
    time_limit: Option<f64>,
    max_visits: Option<u64>,
    max_memory: Option<u64>,
    moves: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let algorithm = self::algorithm(algorithm)?;
    let known = match needs {
        "TotalOrder" => Needs::TotalOrder,
        "DistributiveLattice" => Needs::Distributive,
        _ => Needs::Lattice,
    };
    let allowed = Allowed::new(time_limit, max_visits, max_memory)?;
    let watch = Watch::new(&allowed, progress);
    let asked = Asked {
        py,
        object: game,
        write,
        algorithm,
        known,
        allowed,
        moves,
    };
    if let Ok(built_in) = lattice.cast::<lattice::Lattice>() {
        let any = built_in.get().0.clone();
        let show = |py: Python<'_>, value: &AnyElem| value::element(py, &any, value);
        let read = |lattice: &Licensed, value: &Bound<'_, PyAny>, write: &Bound<'_, PyAny>| {
            let json = write.call1((value,))?;
            value::read(&lattice.0, &json.extract::<String>()?)
        };
        asked.solve(Licensed(any.clone()), read, show, watch)
    } else {
        let read = |_: &InPython, value: &Bound<'_, PyAny>, _: &Bound<'_, PyAny>| {
            Ok(Element(Arc::new(value.clone().unbind())))
        };
        let show = |py: Python<'_>, value: &Element| Ok(value.0.clone_ref(py));
        asked.solve(InPython::new(lattice)?, read, show, watch)
    }
}

/// A game to be solved, and how.
struct Asked<'a, 'py> {
    py: Python<'py>,
    object: &'a Bound<'py, PyAny>,
    write: Py<PyAny>,
    algorithm: Algorithm,
    known: Needs,
    allowed: Allowed,
    moves: bool,
}

impl<'py> Asked<'_, 'py> {
    fn solve<L: TotalOrder<Elem: 'static> + 'static>(
        self,
        lattice: L,
        read: Read<L>,
        show: impl Fn(Python<'_>, &L::Elem) -> PyResult<Py<PyAny>>,
        watch: Watch,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = self.py;
        if !self.algorithm.needs().met_by(self.known) {
            let (id, needs) = (self.algorithm.id, self.algorithm.needs().trait_name());
            return Err(refused(format!(
                "{id} needs a {needs}, and this lattice says that it is a {}",
                self.known.trait_name()
            )));
        }
        let mut nodes = Nodes {
            objects: Vec::new(),
            kinds: Vec::new(),
            children: Vec::new(),
            numbers: PyDict::new(py).unbind(),
        };
        let root = nodes.number(self.object.call_method0("root")?)?;
        let game = Game {
            methods: Methods::of(self.object)?,
            lattice,
            nodes: RefCell::new(nodes),
            values: RefCell::default(),
            read,
            write: self.write,
            root,
        };
        RAISED.with_borrow_mut(|stack| {
            stack.push(Raised {
                error: RefCell::default(),
                any: Cell::new(false),
                cancel: Arc::clone(&self.allowed.cancel),
            });
        });
        let shown = |py: Python<'_>, value: &dyn std::any::Any| {
            let value = show(py, value.downcast_ref::<L::Elem>()?).ok()?;
            Some(value.bind(py).str().ok()?.to_string())
        };
        let mut seen = Seen {
            counts: Counts::default(),
            watch,
            game: &game,
            depth: 0,
            show: &shown,
        };
        let solved = search(
            &game,
            &self.algorithm,
            self.known,
            &self.allowed,
            self.moves,
            &mut seen,
        );
        let told = seen.watch.raised.take();
        let counts = seen.counts;
        let raised = RAISED.with_borrow_mut(Vec::pop);
        if let Some(error) = raised.and_then(|raised| raised.error.into_inner()).or(told) {
            return Err(error);
        }
        let solved = solved.ok_or_else(|| {
            refused(format!(
                "{} does not run on games written in Python",
                self.algorithm.id
            ))
        })?;
        let found = |of: &Of<L::Elem>| {
            let dict = PyDict::new(py);
            value::interval(py, &dict, &of.value, |value| show(py, value))?;
            dict.set_item("stop", of.stop.map(Stop::word))?;
            dict.set_item("contradiction", false)?;
            Ok::<_, PyErr>(dict)
        };
        let dict = found(&solved.root)?;
        dict.set_item("algorithm", self.algorithm.id)?;
        let moves = solved.moves.map(|moves| {
            let moves = moves
                .iter()
                .map(|(node, of)| Ok((game.node(py, *node), found(of)?)));
            moves.collect::<PyResult<Vec<_>>>()
        });
        dict.set_item("moves", moves.transpose()?)?;
        let stats = counters(py, &counts)?;
        stats.set_item("nodes", game.count())?;
        stats.set_item("cache_entries", solved.entries)?;
        stats.set_item("peak_memory_bytes", (METER.peak)())?;
        stats.set_item("seconds", solved.seconds)?;
        dict.set_item("stats", stats)?;
        Ok(dict)
    }
}

/// What is known of one node.
struct Of<E> {
    value: Interval<E>,
    stop: Option<Stop>,
}

/// What a search has found.
struct SolvedGame<E> {
    root: Of<E>,
    moves: Option<Vec<(u32, Of<E>)>>,
    entries: usize,
    seconds: f64,
}

fn search<'g, L: TotalOrder<Elem: 'static> + 'static>(
    game: &'g Game<L>,
    algorithm: &Algorithm,
    known: Needs,
    allowed: &Allowed,
    moves: bool,
    seen: &mut Seen<'g, L>,
) -> Option<SolvedGame<L::Elem>> {
    let started = Instant::now();
    let budget = allowed.budget();
    let task = Task {
        dag: game,
        valuation: game,
        heuristic: None::<()>,
        stores: Tables,
        budget: &budget,
        proof_bytes: 0,
    };
    let mut engine = if known == Needs::Lattice {
        engine::any_lattice(algorithm, &task)
    } else {
        engine::total_order(algorithm, &task)
    }?;
    let mut solve = |root, seen: &mut Seen<'g, L>| {
        seen.depth = 0;
        let solved = engine.search(root, seen);
        let of = Of {
            value: solved.outcome.value,
            stop: solved.outcome.stop,
        };
        (of, solved.cache_entries)
    };
    let (root, entries) = solve(game.root, seen);
    let (counts, seconds) = (seen.counts, started.elapsed().as_secs_f64());
    let mut children = Vec::new();
    if moves && game.kind(&game.root) != Kind::Leaf {
        game.children(&game.root, &mut children);
        let mut once = std::collections::HashSet::new();
        children.retain(|child| once.insert(*child));
    }
    let moves = moves.then(|| {
        let of = children
            .into_iter()
            .map(|child| (child, solve(child, seen).0));
        of.collect()
    });
    seen.counts = counts;
    Some(SolvedGame {
        root,
        moves,
        entries,
        seconds,
    })
}
