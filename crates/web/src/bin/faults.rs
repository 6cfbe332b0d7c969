//! The program that answers questions about fault trees and attack trees.

meetjoin_web::program!(meetjoin_web::faults::answer);
