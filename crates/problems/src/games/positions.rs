//! The positions of a game as nodes, by their numbers.

use std::cell::RefCell;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_games::Numbered;
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval};
use meetjoin_solve::answer::NodeText;
use meetjoin_solve::subject::position_name;
use meetjoin_solve::value::Value;
use meetjoin_solve::view::{Key, Nodes, Plan};

/// The positions of a graph that a game numbers, with functions for their values.
pub(crate) struct Positions<'a, D: AndOrDag, G> {
    dag: &'a D,
    /// Numbers positions.
    game: &'a G,
    lattice: &'a AnyLattice,
    leaf: Box<Of<'a, D, AnyElem>>,
    value: Box<dyn Fn(&AnyElem) -> Value + 'a>,
    stated: Box<Of<'a, D, Option<Interval<AnyElem>>>>,
    plan: Option<Box<PlanOf<'a>>>,
    images: Box<Of<'a, D, Option<u32>>>,
    /// Reused memory for lists of children.
    children: RefCell<Vec<D::Node>>,
}

/// A function of positions.
type Of<'a, D, T> = dyn Fn(&<D as AndOrDag>::Node) -> T + 'a;
/// A function that makes the plan for an element.
type PlanOf<'a> = dyn Fn(&AnyElem, bool, &Budget) -> Plan + 'a;

impl<'a, D: AndOrDag, G> Positions<'a, D, G> {
    /// `leaf` gives values, and `value` converts them for display.
    pub(crate) fn new(
        dag: &'a D,
        game: &'a G,
        lattice: &'a AnyLattice,
        leaf: impl Fn(&D::Node) -> AnyElem + 'a,
        value: impl Fn(&AnyElem) -> Value + 'a,
    ) -> Self {
        Self {
            dag,
            game,
            lattice,
            leaf: Box::new(leaf),
            value: Box::new(value),
            stated: Box::new(|_| None),
            plan: None,
            images: Box::new(|_| None),
            children: RefCell::default(),
        }
    }

    /// Adds known bounds of positions as [stated](Nodes::stated) bounds.
    pub(crate) fn with_bounds(
        self,
        stated: impl Fn(&D::Node) -> Option<Interval<AnyElem>> + 'a,
    ) -> Self {
        let stated = Box::new(stated);
        Self { stated, ..self }
    }

    /// Adds a function that makes [plans](Nodes::plan).
    pub(crate) fn with_plan(self, plan: impl Fn(&AnyElem, bool, &Budget) -> Plan + 'a) -> Self {
        let plan: Option<Box<PlanOf<'a>>> = Some(Box::new(plan));
        Self { plan, ..self }
    }

    /// Adds the numbers of [images](Nodes::images) that positions stand for.
    pub(crate) fn with_images(self, images: impl Fn(&D::Node) -> Option<u32> + 'a) -> Self {
        let images = Box::new(images);
        Self { images, ..self }
    }
}

impl<D: AndOrDag, G: Numbered<Node = D::Node>> Nodes for Positions<'_, D, G> {
    fn lattice(&self) -> &AnyLattice {
        self.lattice
    }

    fn root(&self) -> Key {
        self.game.number(&self.dag.root())
    }

    fn kind(&self, node: Key) -> Kind {
        self.dag.kind(&self.game.position(node))
    }

    fn expand(&self, node: Key, children: &mut Vec<Key>) -> Kind {
        let position = self.game.position(node);
        let kind = self.dag.kind(&position);
        if kind != Kind::Leaf {
            let mut all = self.children.take();
            self.dag.children(&position, &mut all);
            children.extend(all.drain(..).map(|child| self.game.number(&child)));
            self.children.replace(all);
        }
        kind
    }

    fn leaf(&self, node: Key) -> AnyElem {
        (self.leaf)(&self.game.position(node))
    }

    fn name(&self, node: Key) -> NodeText {
        position_name(self.dag, &self.game.position(node))
    }

    fn move_name(&self, from: Key, to: Key) -> String {
        let mut name = String::new();
        let (from, to) = (self.game.position(from), self.game.position(to));
        // Writing to a string cannot fail.
        let _ = self.dag.move_name(&from, &to, &mut name);
        name
    }

    fn value(&self, value: &AnyElem) -> Value {
        (self.value)(value)
    }

    fn stated(&self, node: Key) -> Option<Interval<AnyElem>> {
        (self.stated)(&self.game.position(node))
    }

    fn plan(&self, of: &AnyElem, stated: bool, budget: &Budget) -> Option<Plan> {
        let plan = self.plan.as_ref()?;
        Some(plan(of, stated, budget))
    }

    fn images(&self, node: Key) -> u64 {
        (self.images)(&self.game.position(node)).map_or(1, u64::from)
    }
}
