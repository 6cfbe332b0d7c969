//! Procedure F: alpha-beta for packets, corrected; with shallow pruning, and with deep pruning.
//!
//! Problem: bottom-up evaluation computes the packets of nodes that neither player would ever
//! choose, and packets are expensive.
//!
//! Idea: depth-first with two windows. alpha has MAX's packets found so far at MAX nodes above,
//! beta MIN's at MIN nodes above. If every packet of a child of a MIN node is clearly dominated by
//! alpha, MAX has no use for the MIN node: its other children are skipped, and its parent ignores
//! it. At MAX nodes the dual holds.
//!
//! Correction: the paper has one flag for two opposite cases. Here a child returns which player
//! *refuses* it. If that is the player at the parent, the child is ignored; if it is the other
//! player, the parent is refused too. A node whose children have all been ignored is refused by the
//! player who moves there: MAX with nothing left has minus infinity, not plus infinity.
//!
//! Which windows: *shallow* compares a node with the packets of the other player directly above it
//! (consecutive nodes of one player count as one node with all their moves). It is **exact**: the
//! result is the minimal expression of [`bottom_up`](mod@crate::bottom_up). *Deep* compares with
//! all ancestors of the other player, as Lemma 5.4 of the paper has it. That **loses packets**: in
//! `MAX((0,3), MIN(MAX((1,1), MIN((0,2),(2,0)))))` the packet {(1,1),(2,0)}. It **adds packets**
//! too: in `MAX((0,2), MIN(MAX((1,0),(0,3)), MAX((1,0), MIN((0,1)))))` the packet {(0,3),(1,0)},
//! because what would absorb it was pruned. The result is right as an element of the free
//! distributive lattice, and for a single criterion; hence the name and the return type.
//!
//! Invariant: at every moment the packets at the root are those of the finished moves, without the
//! inferior ones; so a stopped search still returns what the player can guarantee.
//!
//! Cost: no cache, so a node is visited once for each path to it that is not cut. Memory: a few
//! expressions for each open node.
//!
//! Source: Dasgupta, Chakrabarti, DeSarkar (1996), section 5.

use std::rc::Rc;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{Budget, Poset, Stop};

use crate::outcomes::{LeafOutcomes, OutcomeOf};
use crate::packets::{Algebra, Expression, Packet};
use crate::player::Player;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched<X> {
    /// The packets of the player at the root (MAX, if it is a leaf). After a stop: those of the
    /// finished moves. The player can guarantee each of them, but may have better ones.
    pub packets: Expression<X>,
    /// The number of finished moves at the root.
    pub moves_done: usize,
    /// Why it ended early, if it did. If `None`, `packets` is complete.
    pub stop: Option<Stop>,
}

/// An answer that is right as an element of the free distributive lattice, and perhaps not as a set
/// of packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatticeOnly<X>(Searched<X>);

impl<X: Clone + Ord> LatticeOnly<X> {
    /// The exact part: the normal form, which is that of the true expression unless the search was
    /// stopped.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn normal_form<P>(&self, algebra: Algebra<'_, P>) -> Result<Vec<Packet<X>>, Stop>
    where
        P: Poset<Elem = X>,
    {
        algebra.normal_form(&self.0.packets)
    }

    /// The result as found. Packets that some preference would choose may be missing, and
    /// superfluous packets may be present.
    pub fn found_perhaps_inexact(&self) -> &Searched<X> {
        &self.0
    }
}

/// An event of a search, in the order of the paper's Table 1. `alpha` has MAX's packets, `beta`
/// MIN's; empty stands for infinity.
#[derive(Debug)]
pub enum Event<'a, N, X> {
    /// An inner node is entered.
    Enter {
        /// The node.
        node: &'a N,
        /// Its window.
        alpha: &'a Expression<X>,
        /// Its window.
        beta: &'a Expression<X>,
    },
    /// A leaf is evaluated.
    Leaf {
        /// The leaf.
        node: &'a N,
    },
    /// A child has returned and more may follow.
    Update {
        /// The parent.
        node: &'a N,
        /// The packets of the player who moves there, so far.
        packets: &'a Expression<X>,
        /// Its window now.
        alpha: &'a Expression<X>,
        /// Its window now.
        beta: &'a Expression<X>,
    },
    /// A child's packets are clearly dominated for the other player. The window is the one before
    /// they would have been added, because a refused node does not need the conversion.
    Cut {
        /// The refused node.
        node: &'a N,
        /// The packets of the last child.
        child: &'a Expression<X>,
        /// The number of skipped children.
        skipped: usize,
        /// Its window before.
        alpha: &'a Expression<X>,
        /// Its window before.
        beta: &'a Expression<X>,
    },
    /// A node is left with packets.
    Exit {
        /// The node.
        node: &'a N,
        /// The packets of the player who moves there.
        packets: &'a Expression<X>,
        /// Its window now.
        alpha: &'a Expression<X>,
        /// Its window now.
        beta: &'a Expression<X>,
    },
}

/// Receives the events of a search; `|_| ()` ignores them.
pub type Observe<'o, N, X> = dyn FnMut(&Event<'_, N, X>) + 'o;

/// Shallow pruning: the minimal expression of the root, exactly. `observe` receives every event.
pub fn procedure_f_shallow<D, G>(
    dag: &D,
    leaves: &G,
    budget: &Budget,
    observe: &mut Observe<'_, D::Node, OutcomeOf<G, D::Node>>,
) -> Searched<OutcomeOf<G, D::Node>>
where
    D: AndOrDag,
    G: LeafOutcomes<D::Node>,
{
    search(dag, leaves, budget, false, observe)
}

/// Deep pruning: exact **as an element of the free distributive lattice only**. `observe` receives
/// every event.
pub fn procedure_f_deep_lattice_only<D, G>(
    dag: &D,
    leaves: &G,
    budget: &Budget,
    observe: &mut Observe<'_, D::Node, OutcomeOf<G, D::Node>>,
) -> LatticeOnly<OutcomeOf<G, D::Node>>
where
    D: AndOrDag,
    G: LeafOutcomes<D::Node>,
{
    LatticeOnly(search(dag, leaves, budget, true, observe))
}

/// The result of a node.
enum Back<X> {
    /// The packets of the player who moves there.
    Packets(Expression<X>),
    /// This player refuses the node, as she has better packets above.
    Refused(Player),
}

/// An open node.
struct Frame<N, X> {
    node: N,
    player: Player,
    children: Vec<N>,
    next: usize,
    /// The packets of the player who moves here, from the finished children.
    packets: Rc<Expression<X>>,
    /// The player's window, if it began with packets from above; otherwise it equals `packets`.
    own: Option<Rc<Expression<X>>>,
    /// The opponent's window.
    against: Rc<Expression<X>>,
}

impl<N, X> Frame<N, X> {
    fn own(&self) -> &Rc<Expression<X>> {
        self.own.as_ref().unwrap_or(&self.packets)
    }

    fn window(&self) -> (&Expression<X>, &Expression<X>) {
        match self.player {
            Player::Max => (self.own(), &self.against),
            Player::Min => (&self.against, self.own()),
        }
    }
}

fn search<D, G>(
    dag: &D,
    leaves: &G,
    budget: &Budget,
    deep: bool,
    observe: &mut Observe<'_, D::Node, OutcomeOf<G, D::Node>>,
) -> Searched<OutcomeOf<G, D::Node>>
where
    D: AndOrDag,
    G: LeafOutcomes<D::Node>,
{
    let root = dag.root();
    let player = Player::of(dag.kind(&root));
    let mut frames = Vec::new();
    let run = run(dag, leaves, budget, deep, observe, &mut frames);
    let (packets, moves_done, stop) = match run {
        Ok((packets, moves)) => (packets, moves, None),
        // The root's frame has the packets of the finished moves.
        Err(stop) => match frames.into_iter().next() {
            Some(root) => {
                let Frame { packets, next, .. } = root;
                ((*packets).clone(), next.saturating_sub(1), Some(stop))
            }
            None => (Expression::empty(player), 0, Some(stop)),
        },
    };
    Searched {
        packets,
        moves_done,
        stop,
    }
}

type Frames<N, X> = Vec<Frame<N, X>>;
type Finished<X> = (Expression<X>, usize);

/// The expression of the root and the number of its moves. On a stop the open frames stay.
fn run<D, G>(
    dag: &D,
    leaves: &G,
    budget: &Budget,
    deep: bool,
    observe: &mut Observe<'_, D::Node, OutcomeOf<G, D::Node>>,
    frames: &mut Frames<D::Node, OutcomeOf<G, D::Node>>,
) -> Result<Finished<OutcomeOf<G, D::Node>>, Stop>
where
    D: AndOrDag,
    G: LeafOutcomes<D::Node>,
{
    let algebra = Algebra::new(leaves.order(), budget);
    let mut node = dag.root();
    loop {
        // Down: enter `node`.
        budget.visit()?;
        let kind = dag.kind(&node);
        let mut back = None;
        if kind == Kind::Leaf {
            observe(&Event::Leaf { node: &node });
            // For the player who did not move there: the cut test asks for the opponent's packets.
            let player = frames
                .last()
                .map_or(Player::Max, |parent| parent.player.opponent());
            let outcome = Expression::outcome(player, leaves.outcome(&node));
            back = Some(Back::Packets(outcome));
        } else {
            let frame = enter(dag, node, kind, frames.last(), deep);
            let (alpha, beta) = frame.window();
            observe(&Event::Enter {
                node: &frame.node,
                alpha,
                beta,
            });
            frames.push(frame);
        }
        // Up: while nodes are finished, return their results to their parents.
        node = loop {
            let Some(frame) = frames.last_mut() else {
                // Only a root that is a leaf gets here without a frame.
                return Ok((result(back), 0));
            };
            let refused = match back.take() {
                Some(back) => receive(algebra, frame, &back, observe)?,
                None => None,
            };
            let finished = match refused {
                Some(player) => Back::Refused(player),
                None => match frame.children.get(frame.next) {
                    Some(child) => {
                        frame.next += 1;
                        break child.clone();
                    }
                    None => leave(frame, observe),
                },
            };
            let moves = frame.children.len();
            frames.pop();
            if frames.is_empty() {
                return Ok((result(Some(finished)), moves));
            }
            back = Some(finished);
        };
    }
}

/// The result of the root. No player refuses the root, because nothing is above it.
fn result<X>(back: Option<Back<X>>) -> Expression<X> {
    match back {
        Some(Back::Packets(packets)) => packets,
        Some(Back::Refused(player)) => Expression::empty(player),
        None => Expression::empty(Player::Max),
    }
}

/// The frame of an inner node below `parent`.
fn enter<D: AndOrDag, X>(
    dag: &D,
    node: D::Node,
    kind: Kind,
    parent: Option<&Frame<D::Node, X>>,
    deep: bool,
) -> Frame<D::Node, X> {
    let player = Player::of(kind);
    let mut children = Vec::new();
    dag.children(&node, &mut children);
    let nothing = |player| Rc::new(Expression::empty(player));
    let (own, against) = match parent {
        None => (nothing(player), nothing(player.opponent())),
        Some(parent) if parent.player == player => {
            (Rc::clone(parent.own()), Rc::clone(&parent.against))
        }
        Some(parent) if deep => (Rc::clone(&parent.against), Rc::clone(parent.own())),
        Some(parent) => (nothing(player), Rc::clone(parent.own())),
    };
    Frame {
        node,
        player,
        children,
        next: 0,
        packets: nothing(player),
        own: (!own.is_empty()).then_some(own),
        against,
    }
}

/// Combines the result of a child with its parent. Returns the player who refuses the parent
/// itself, if any.
fn receive<N, P: Poset>(
    algebra: Algebra<'_, P>,
    frame: &mut Frame<N, P::Elem>,
    back: &Back<P::Elem>,
    observe: &mut Observe<'_, N, P::Elem>,
) -> Result<Option<Player>, Stop> {
    match back {
        Back::Refused(player) if *player != frame.player => return Ok(Some(*player)),
        Back::Refused(_) => {}
        Back::Packets(child) => {
            let of_opponent = child.player() != frame.player && !frame.against.is_empty();
            if of_opponent && algebra.prunes(&frame.against, child)? {
                let (alpha, beta) = frame.window();
                observe(&Event::Cut {
                    node: &frame.node,
                    child,
                    skipped: frame.children.len() - frame.next,
                    alpha,
                    beta,
                });
                return Ok(Some(frame.player.opponent()));
            }
            let converted;
            let child = if child.player() == frame.player {
                child
            } else {
                converted = algebra.convert(child)?;
                &converted
            };
            if let Some(own) = &mut frame.own {
                algebra.add(Rc::make_mut(own), child)?;
            }
            algebra.add(Rc::make_mut(&mut frame.packets), child)?;
        }
    }
    if frame.next < frame.children.len() {
        let (alpha, beta) = frame.window();
        observe(&Event::Update {
            node: &frame.node,
            packets: &frame.packets,
            alpha,
            beta,
        });
    }
    Ok(None)
}

/// The result of a node after its last child.
fn leave<N, X: Clone>(frame: &Frame<N, X>, observe: &mut Observe<'_, N, X>) -> Back<X> {
    if frame.packets.is_empty() {
        return Back::Refused(frame.player);
    }
    let (alpha, beta) = frame.window();
    observe(&Event::Exit {
        node: &frame.node,
        packets: &frame.packets,
        alpha,
        beta,
    });
    Back::Packets((*frame.packets).clone())
}
