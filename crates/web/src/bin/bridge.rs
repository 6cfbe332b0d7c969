//! The program that answers questions about suits and endings at bridge.

meetjoin_web::program!(meetjoin_web::bridge::answer);
