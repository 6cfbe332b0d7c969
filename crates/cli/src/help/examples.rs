//! Two examples for each command, which its help and its manual page show, and which a test runs.
//!
//! Files whose names begin with `examples/` are in the repository; all others are made.

/// What an example does, and the line.
type Example = (&'static str, &'static str);

/// Those of commands.
const OF_COMMANDS: &[(&str, [Example; 2])] = &[
    (
        "solve",
        [
            (
                "The value, and that of each move",
                "meetjoin solve examples/example.json --moves",
            ),
            (
                "How MAX makes sure of it",
                "meetjoin solve examples/small.json --strategy",
            ),
        ],
    ),
    (
        "racing",
        [
            (
                "Against which hands MAX wins who may look",
                "meetjoin racing --deck 20 --goal 5 --hand-size 7 --seed 1 --lattice powerset",
            ),
            (
                "The plan that wins most often without looking",
                "meetjoin racing --deck 14 --goal 3 --hand-size 5 --seed 1 --lattice families --heaviest",
            ),
        ],
    ),
    (
        "random",
        [
            (
                "A graph of sets, searched by the default",
                "meetjoin random --depth 5 --branching 3 --variables 10 --lattice powerset --seed 1",
            ),
            (
                "The same by another algorithm",
                "meetjoin random --depth 5 --branching 3 --variables 10 --lattice powerset --seed 1 --algorithm minimax-cached",
            ),
        ],
    ),
    (
        "packets",
        [
            (
                "What each move can guarantee",
                "meetjoin packets examples/choice.json",
            ),
            (
                "Choose by a weighted sum of the criteria",
                "meetjoin packets examples/choice.json --prefer 2,1",
            ),
        ],
    ),
    (
        "cuts",
        [
            (
                "The minimal cut sets, and which event matters",
                "meetjoin cuts examples/plant.txt --list --importance",
            ),
            (
                "A page for a browser",
                "meetjoin cuts examples/plant.txt --html plant.html",
            ),
        ],
    ),
    (
        "sequences",
        [
            (
                "How probable each sequence is",
                "meetjoin sequences examples/cooling.xml",
            ),
            (
                "With its minimal cut sets",
                "meetjoin sequences examples/cooling.xml --list",
            ),
        ],
    ),
    (
        "attacks",
        [
            (
                "What attacks cost and how long they take",
                "meetjoin attacks examples/office.txt --pareto cost,time",
            ),
            (
                "What each price of defences leaves",
                "meetjoin attacks examples/office.txt --defences",
            ),
        ],
    ),
    (
        "prove",
        [
            (
                "Whether world 2 is in the value",
                "meetjoin prove examples/example.json --at-least '[2]'",
            ),
            (
                "The same with a proof for people",
                "meetjoin prove examples/example.json --at-least '[2]' --proof proof.txt",
            ),
        ],
    ),
    (
        "verify",
        [
            (
                "First a certificate",
                "meetjoin solve examples/small.json --certificate small.certificate",
            ),
            (
                "It is right, and nothing is searched",
                "meetjoin verify examples/small.json small.certificate",
            ),
        ],
    ),
    (
        "trace",
        [
            (
                "A search, step by step",
                "meetjoin trace examples/small.json --html trace.html",
            ),
            (
                "Two searches side by side",
                "meetjoin trace examples/small.json --algorithm minimax,alpha-beta-duo --html both.html",
            ),
        ],
    ),
    (
        "play",
        [
            (
                "What a position and its moves are worth",
                "meetjoin play connect-four --columns 5 --rows 4 --moves 3",
            ),
            (
                "A hand of cards",
                "meetjoin play racing --deck 8 --goal 2 --hand-size 3 --seed 1",
            ),
        ],
    ),
    (
        "suit",
        [
            ("The best way to play a suit", "meetjoin suit AQT98 5432"),
            (
                "For four tricks, as a page for a browser",
                "meetjoin suit AQT98 5432 --tricks 4 --html suit.html",
            ),
        ],
    ),
    (
        "ending",
        [
            (
                "Three hands: North, South, and all that the defenders hold",
                "meetjoin ending AJ2.A.. KT3.2.. Q98765.43.. --tricks 4",
            ),
            (
                "A deal from a file, as a page for a browser",
                "meetjoin ending examples/guess.pbn --tricks 4 --html ending.html",
            ),
        ],
    ),
    (
        "check",
        [
            (
                "Whether a file is a problem",
                "meetjoin check examples/example.json",
            ),
            (
                "Whether the bounds that it states are true",
                "meetjoin check examples/example.json --bounds",
            ),
        ],
    ),
    (
        "cluster",
        [
            (
                "A game on two workers",
                "meetjoin cluster solve --workers 2 tic-tac-toe",
            ),
            (
                "A problem file",
                "meetjoin cluster solve examples/small.json",
            ),
        ],
    ),
    (
        "cluster solve",
        [
            (
                "A game on two workers",
                "meetjoin cluster solve --workers 2 tic-tac-toe",
            ),
            (
                "A problem file",
                "meetjoin cluster solve examples/small.json",
            ),
        ],
    ),
    (
        "generate",
        [
            (
                "A game as a problem file",
                "meetjoin generate connect-four --columns 4 --rows 3 > game.json",
            ),
            (
                "A drawing for Graphviz",
                "meetjoin generate examples/small.json --dot > small.dot",
            ),
        ],
    ),
    (
        "convert",
        [
            (
                "A file that is used without reading it whole",
                "meetjoin convert examples/small.json small.mj",
            ),
            ("Back to JSON", "meetjoin convert small.mj again.json"),
        ],
    ),
    (
        "algorithms",
        [
            ("All algorithms", "meetjoin algorithms"),
            (
                "Those that need a total order",
                "meetjoin algorithms | grep TotalOrder",
            ),
        ],
    ),
    (
        "completions",
        [
            (
                "For bash, in its folder of completions",
                "meetjoin completions bash > meetjoin.bash",
            ),
            ("For fish", "meetjoin completions fish > meetjoin.fish"),
        ],
    ),
    (
        "play connect-four",
        [
            (
                "Moves of a position",
                "meetjoin play connect-four --columns 5 --rows 4 --moves 33",
            ),
            (
                "A full board, eight moves ahead",
                "meetjoin play connect-four --moves 4453 --depth 8",
            ),
        ],
    ),
    (
        "play kalah",
        [
            (
                "A small board to its end",
                "meetjoin play kalah --pits 3 --seeds 2",
            ),
            (
                "The usual board, six moves ahead",
                "meetjoin play kalah --depth 6",
            ),
        ],
    ),
    (
        "play tic-tac-toe",
        [
            (
                "After the middle was taken",
                "meetjoin play tic-tac-toe --moves 5",
            ),
            ("For programs", "meetjoin play tic-tac-toe --moves 5 --json"),
        ],
    ),
    (
        "play racing",
        [
            (
                "Against the program: you see both hands",
                "meetjoin play racing --deck 8 --goal 2 --hand-size 3 --seed 1",
            ),
            (
                "You see your own",
                "meetjoin play racing --deck 8 --goal 2 --hand-size 3 --seed 1 --side max",
            ),
        ],
    ),
    (
        "generate attack-tree",
        [
            (
                "Twelve nodes",
                "meetjoin generate attack-tree --nodes 12 --seed 1",
            ),
            (
                "With defences",
                "meetjoin generate attack-tree --nodes 12 --defences 3 --seed 1",
            ),
        ],
    ),
];

/// Arguments of games, for every command that takes games.
const OF_GAMES: &[(&str, [Example; 2])] = &[
    (
        "racing",
        [
            (
                "Who may look at the other hand",
                "--deck 8 --goal 2 --hand-size 3 --seed 1 --lattice powerset",
            ),
            (
                "Who may not",
                "--deck 8 --goal 2 --hand-size 3 --seed 1 --lattice families",
            ),
        ],
    ),
    (
        "random",
        [
            (
                "Sets",
                "--depth 3 --branching 2 --variables 4 --lattice powerset --seed 1",
            ),
            (
                "Families of sets",
                "--depth 3 --branching 2 --variables 4 --lattice families --seed 1",
            ),
        ],
    ),
    (
        "criteria",
        [
            (
                "Each criterion for itself",
                "--depth 3 --branching 2 --criteria 2 --most 9 --lattice product --seed 1",
            ),
            (
                "All at once",
                "--depth 3 --branching 2 --criteria 2 --most 9 --lattice free --seed 1",
            ),
        ],
    ),
    (
        "uniform",
        [
            (
                "Sixteen leaves",
                "--depth 4 --branching 2 --most 9 --seed 1",
            ),
            (
                "The best moves first",
                "--depth 4 --branching 2 --most 9 --ordering best-first --seed 1",
            ),
        ],
    ),
    (
        "fault-tree",
        [
            ("Eight events", "--events 8 --gates 6 --seed 1"),
            ("Wider gates", "--events 8 --gates 6 --arguments 6 --seed 1"),
        ],
    ),
    (
        "hexapawn",
        [
            ("Three pawns each", "--lattice product"),
            ("A longer board", "--columns 3 --rows 4 --lattice product"),
        ],
    ),
    (
        "connect-four",
        [
            ("A small board", "--columns 4 --rows 3"),
            ("After two moves", "--columns 4 --rows 4 --moves 12"),
        ],
    ),
    (
        "kalah",
        [
            ("Two pits, two seeds", "--pits 2 --seeds 2"),
            ("After a move", "--pits 3 --seeds 1 --moves 3"),
        ],
    ),
    (
        "tic-tac-toe",
        [
            ("After three moves", "--moves 519"),
            ("One of all positions that are images", "--up-to-symmetry"),
        ],
    ),
];

/// The examples of a command, by the names that lead to it.
pub(crate) fn of(path: &[&str]) -> Vec<(&'static str, String)> {
    let name = path.join(" ");
    if let Some((_, examples)) = OF_COMMANDS.iter().find(|(known, _)| *known == name) {
        return examples.map(|(says, line)| (says, line.to_owned())).into();
    }
    let [before @ .., game] = path else {
        return Vec::new();
    };
    let of_game = OF_GAMES.iter().find(|(known, _)| known == game);
    let before = before.join(" ");
    of_game.map_or_else(Vec::new, |(game, examples)| {
        let line = |(says, arguments)| (says, format!("meetjoin {before} {game} {arguments}"));
        examples.map(line).into()
    })
}
