//! The program that plays board games and racing.

meetjoin_web::program!(meetjoin_web::play::answer);
