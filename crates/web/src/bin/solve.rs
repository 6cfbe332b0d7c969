//! The program that answers questions about problem files: small graphs, looked at closely.

meetjoin_web::program!(meetjoin_web::solve::answer);
