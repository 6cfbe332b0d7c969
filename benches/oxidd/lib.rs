//! The diagrams of `meetjoin-lattice` beside those of OxiDD: see the benchmark `diagrams`.
