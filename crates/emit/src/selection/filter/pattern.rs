//! Patterns that a board is compared with: pieces on squares, material, attacks.

use std::ops::{Range, RangeInclusive};

use san::{Bitboard, Color, File, Position, Rank, Role, Square};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pattern {
    Board(BoardPattern),
    Material(MaterialPattern),
    Attack(Attack),
}

pub(super) type PatternFault = (Range<usize>, String);

impl Pattern {
    pub(super) fn holds(&self, position: &Position) -> bool {
        match self {
            Pattern::Board(BoardPattern(sets)) => {
                sets.iter().all(|(set, squares)| (*squares & !set.squares(position)).is_empty())
            }
            Pattern::Material(MaterialPattern(sides)) => {
                Color::ALL.into_iter().zip(sides).all(|(color, side)| side.holds(position, color))
            }
            Pattern::Attack(attack) => attack.holds(position),
        }
    }

    /// With the colours exchanged and the board upside down, or else mirrored.
    pub(super) fn turned(&self, exchanges_colors: bool) -> Pattern {
        match self {
            Pattern::Board(BoardPattern(sets)) => {
                let turned = |(set, squares): &(PieceSet, Bitboard)| match exchanges_colors {
                    true => (set.for_other_colors(), squares.flip_vertical()),
                    false => (*set, squares.flip_horizontal()),
                };
                Pattern::Board(BoardPattern(sets.iter().map(turned).collect()))
            }
            Pattern::Material(MaterialPattern([white, black])) if exchanges_colors => {
                Pattern::Material(MaterialPattern([black.clone(), white.clone()]))
            }
            Pattern::Material(_) => self.clone(),
            Pattern::Attack(Attack { color, role, target }) => {
                let turned = |color: Color| if exchanges_colors { !color } else { color };
                let target = match *target {
                    Target::Piece(color, role) => Target::Piece(turned(color), role),
                    Target::Square(at) if exchanges_colors => Target::Square(at.flip_vertical()),
                    Target::Square(at) => Target::Square(at.flip_horizontal()),
                };
                Pattern::Attack(Attack { color: turned(*color), role: *role, target })
            }
        }
    }
}

/// A set of pieces: a bit for each, White's first, as in [`Role::ALL`]; then an empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PieceSet(u16);

impl PieceSet {
    const EMPTY_SQUARE: PieceSet = PieceSet(1 << 12);

    fn piece(color: Color, role: Role) -> PieceSet {
        PieceSet(1 << (color.fold_wb(0, 6) + role as u16 - 1))
    }

    fn side(color: Color) -> PieceSet {
        PieceSet(color.fold_wb(0x3f, 0x3f << 6))
    }

    fn with(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 | other.0)
    }

    fn for_other_colors(self) -> PieceSet {
        let empty = self.0 & PieceSet::EMPTY_SQUARE.0;
        PieceSet(empty | (self.0 & 0x3f) << 6 | self.0 >> 6 & 0x3f)
    }

    fn squares(self, position: &Position) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for color in Color::ALL {
            if self.0 & PieceSet::side(color).0 == PieceSet::side(color).0 {
                squares |= position.side(color);
                continue;
            }
            for role in Role::ALL {
                if self.0 & PieceSet::piece(color, role).0 != 0 {
                    squares |= position.pieces(role) & position.side(color);
                }
            }
        }
        if self.0 & PieceSet::EMPTY_SQUARE.0 != 0 {
            squares |= !position.occupied();
        }
        squares
    }
}

// Pieces on squares: `8/8/p7/8/8/1B3N2/8/8`, with the other squares free.

/// Sets of pieces, each with the squares where one of them is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoardPattern(Vec<(PieceSet, Bitboard)>);

impl BoardPattern {
    /// From the eighth rank, as in a FEN: letters of pieces; a digit: free squares, `?`: one free;
    /// `_`: an empty square; `!`: any piece; `A`, `a`: any of White, Black; `[QR]`: one of several.
    pub(super) fn read(text: &str) -> Result<Self, PatternFault> {
        let mut pattern = BoardPattern(Vec::new());
        let (mut rank, mut file) = (7, 0);
        let mut chars = text.char_indices();
        while let Some((at, c)) = chars.next() {
            let here = at..at + c.len_utf8();
            if c == '/' {
                if file != 8 {
                    return Err((here, format!("rank {} has {file} squares", rank + 1)));
                }
                if rank == 0 {
                    return Err((here, "more than eight ranks".into()));
                }
                (rank, file) = (rank - 1, 0);
                continue;
            }
            let (width, set) = match c {
                '1'..='8' => (c as u32 - '0' as u32, None),
                '?' => (1, None),
                '[' => {
                    let mut set = PieceSet(0);
                    loop {
                        match chars.next() {
                            Some((_, ']')) if set != PieceSet(0) => break,
                            Some((at, c)) => match pieces(c) {
                                Some(pieces) => set = set.with(pieces),
                                None => return Err((at..at + c.len_utf8(), not_a_piece(c))),
                            },
                            None => return Err((here, "`]` is missing".into())),
                        }
                    }
                    (1, Some(set))
                }
                c => match pieces(c) {
                    Some(set) => (1, Some(set)),
                    None => return Err((here, not_a_piece(c))),
                },
            };
            if file + width > 8 {
                return Err((here, format!("rank {} has more than 8 squares", rank + 1)));
            }
            if let Some(set) = set {
                pattern.add(set, Square::from_coords(File::new(file), Rank::new(rank)));
            }
            file += width;
        }
        match (rank, file) {
            (0, 8) => Ok(pattern),
            (0, _) => Err((text.len()..text.len(), format!("rank 1 has {file} squares"))),
            _ => Err((text.len()..text.len(), "eight ranks are expected, as in a FEN".into())),
        }
    }

    fn add(&mut self, set: PieceSet, square: Square) {
        match self.0.iter_mut().find(|(other, _)| *other == set) {
            Some((_, squares)) => squares.add(square),
            None => self.0.push((set, Bitboard::from(square))),
        }
    }
}

fn pieces(c: char) -> Option<PieceSet> {
    Some(match c {
        'A' => PieceSet::side(Color::White),
        'a' => PieceSet::side(Color::Black),
        '!' => PieceSet::side(Color::White).with(PieceSet::side(Color::Black)),
        '_' => PieceSet::EMPTY_SQUARE,
        c => PieceSet::piece(Color::from_white(c.is_ascii_uppercase()), Role::from_char(c)?),
    })
}

fn not_a_piece(c: char) -> String {
    format!("{c:?} is not a piece, a number of squares, or one of ? _ ! A a")
}

// Numbers of pieces of both sides: `KRP*vKR`.

#[derive(Clone, Debug, PartialEq)]
pub(super) struct MaterialPattern([SidePattern; 2]);

#[derive(Clone, Debug, PartialEq)]
struct SidePattern {
    /// Numbers of pawns, knights, bishops, rooks and queens.
    counts: [RangeInclusive<u8>; 5],
    minors: RangeInclusive<u8>,
}

const MOST: u8 = 64;

impl MaterialPattern {
    /// `*` is any number, `+` at least one, `?` at most one, `2-` at most two, `1-3` one to three;
    /// `M` is a knight or a bishop. A piece without a letter is not on the board; kings are.
    pub(super) fn read(text: &str) -> Result<Self, PatternFault> {
        let Some(v) = text.find('v') else {
            let reason = "material of both sides has a v between them, such as KR*vKR*";
            return Err((0..text.len(), reason.into()));
        };
        Ok(MaterialPattern([
            SidePattern::read(text, 0..v)?,
            SidePattern::read(text, v + 1..text.len())?,
        ]))
    }
}

impl SidePattern {
    fn read(text: &str, range: Range<usize>) -> Result<SidePattern, PatternFault> {
        let mut side = SidePattern { counts: std::array::from_fn(|_| 0..=0), minors: 0..=0 };
        let mut has_minors = false;
        let bytes = &text.as_bytes()[..range.end];
        let mut at = range.start;
        while let Some(&byte) = bytes.get(at) {
            let begin = at;
            at += 1;
            if byte == b' ' {
                continue;
            }
            let (number, len) = number_at(&bytes[at..]);
            at += len;
            let fault = |reason: &str| Err((begin..at, reason.to_owned()));
            let added = match byte {
                b'K' => match number {
                    None => continue,
                    Some(number) if number == (1..=1) => continue,
                    Some(_) => return fault("each side has one king"),
                },
                b'M' => {
                    has_minors = true;
                    &mut side.minors
                }
                b'P' => &mut side.counts[0],
                b'N' => &mut side.counts[1],
                b'B' => &mut side.counts[2],
                b'R' => &mut side.counts[3],
                b'Q' => &mut side.counts[4],
                _ => {
                    let len = text[begin..].chars().next().map_or(1, char::len_utf8);
                    let reason = "a piece is K, Q, R, B, N, P, or M for a knight or a bishop";
                    return Err((begin..begin + len, reason.into()));
                }
            };
            let number = number.unwrap_or(1..=1);
            if number.is_empty() {
                return fault("the range is empty");
            }
            let sum = |one: u8, other: u8| one.saturating_add(other).min(MOST);
            *added = sum(*added.start(), *number.start())..=sum(*added.end(), *number.end());
        }
        let [_, knights, bishops, ..] = &mut side.counts;
        if has_minors {
            // Those that are named besides are among them, and the others are minors.
            let (least, most) = (*side.minors.start(), *side.minors.end());
            side.minors = least.saturating_add(knights.start() + bishops.start())
                ..=most.saturating_add(knights.end().saturating_add(*bishops.end()));
            *knights = *knights.start()..=most.saturating_add(*knights.end());
            *bishops = *bishops.start()..=most.saturating_add(*bishops.end());
        } else {
            side.minors = 0..=MOST * 2;
        }
        Ok(side)
    }

    fn holds(&self, position: &Position, color: Color) -> bool {
        let count = |role| (position.pieces(role) & position.side(color)).count() as u8;
        let [pawns, knights, bishops, rooks, queens] = &self.counts;
        let (knight_count, bishop_count) = (count(Role::Knight), count(Role::Bishop));
        queens.contains(&count(Role::Queen))
            && rooks.contains(&count(Role::Rook))
            && knights.contains(&knight_count)
            && bishops.contains(&bishop_count)
            && self.minors.contains(&(knight_count + bishop_count))
            && pawns.contains(&count(Role::Pawn))
    }
}

/// Reads how many pieces a letter stands for, if the text says it, and returns the length of that.
fn number_at(text: &[u8]) -> (Option<RangeInclusive<u8>>, usize) {
    let digits = |from: usize| {
        let len = text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let number = std::str::from_utf8(&text[from..from + len]).ok()?.parse::<u8>().ok()?;
        Some((number.min(MOST), len))
    };
    match (text.first(), digits(0)) {
        (Some(b'*'), _) => (Some(0..=MOST), 1),
        (Some(b'+'), _) => (Some(1..=MOST), 1),
        (Some(b'?'), _) => (Some(0..=1), 1),
        (_, Some((number, len))) => match text.get(len) {
            Some(b'+') => (Some(number..=MOST), len + 1),
            Some(b'-') => match digits(len + 1) {
                Some((last, more)) => (Some(number..=last), len + 1 + more),
                None => (Some(0..=number), len + 1),
            },
            _ => (Some(number..=number), len),
        },
        _ => (None, 0),
    }
}

// Attacks of pieces on squares and on other pieces: `attacks(wN, e5)`, `attacks(bQ, wA)`.

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Attack {
    pub(super) color: Color,
    /// `None` for any piece.
    pub(super) role: Option<Role>,
    pub(super) target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    Square(Square),
    Piece(Color, Option<Role>),
}

impl Attack {
    fn holds(&self, position: &Position) -> bool {
        let of = |color: Color, role: Option<Role>| match role {
            Some(role) => PieceSet::piece(color, role).squares(position),
            None => position.side(color),
        };
        let attackers = of(self.color, self.role);
        let targets = match self.target {
            Target::Square(square) => Bitboard::from(square),
            Target::Piece(color, role) => of(color, role),
        };
        if attackers.is_empty() {
            return false;
        }
        let attacked_by = |square| position.attackers(square, self.color, position.occupied());
        targets.into_iter().any(|square| (attacked_by(square) & attackers).any())
    }
}

pub(super) fn piece(name: &str) -> Option<(Color, Option<Role>)> {
    let (color, role) = name.split_at_checked(1)?;
    let color = match color {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return None,
    };
    match role.as_bytes() {
        b"A" => Some((color, None)),
        [letter @ b'A'..=b'Z'] => Some((color, Some(Role::from_char(char::from(*letter))?))),
        _ => None,
    }
}
