/** Characters of the Latin script that differ from the letter by a small mark only. */
const latin: Readonly<Record<string, string>> = {
  a: 'àáâãäåāăąạảấầậắằặɑ',
  b: 'ƀɓḃḅ',
  c: 'çćĉċčƈ',
  d: 'ďđɗḋḍ',
  e: 'èéêëēĕėęěẹẻếềệ',
  f: 'ƒḟ',
  g: 'ĝğġģǧɡǵ',
  h: 'ĥħḣḥɦ',
  i: 'ìíîïĩīĭįıịỉɩ',
  j: 'ĵǰɉ',
  k: 'ķĸƙǩḳ',
  l: 'ĺļľŀłƚḷ',
  m: 'ṁṃɱ',
  n: 'ñńņňŋṅṇ',
  o: 'òóôõöøōŏőọỏốồộơớờợ',
  p: 'ƥṗ',
  q: 'ʠɋ',
  r: 'ŕŗřṙṛɍ',
  s: 'śŝşšșṡṣ',
  t: 'ţťŧțṫṭ',
  u: 'ùúûüũūŭůűųụủưứừự',
  v: 'ṽṿʋ',
  w: 'ŵẁẃẅẇẉ',
  x: 'ẋẍ',
  y: 'ýŷÿỳỵỷỹ',
  z: 'źżžẓƶ',
};

/** Letters of other scripts with the same shape. */
const otherScripts: readonly Readonly<Record<string, string>>[] = [
  // Cyrillic
  {
    a: 'а',
    b: 'ь',
    c: 'с',
    d: 'ԁ',
    e: 'её',
    g: 'ԍ',
    h: 'һн',
    i: 'ії',
    j: 'ј',
    k: 'к',
    l: 'ӏ',
    m: 'м',
    n: 'п',
    o: 'о',
    p: 'р',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ',
    t: 'т',
    u: 'ц',
    v: 'ѵ',
    w: 'ԝшщ',
    x: 'х',
    y: 'уү',
  },
  // Greek
  {
    a: 'α',
    b: 'β',
    e: 'ε',
    i: 'ιί',
    k: 'κ',
    m: 'μ',
    n: 'η',
    o: 'οσό',
    p: 'ρ',
    t: 'τ',
    u: 'υύ',
    v: 'ν',
    w: 'ω',
    x: 'χ',
    y: 'γ',
  },
  // Armenian
  { f: 'ք', g: 'ց', h: 'հ', n: 'ո', o: 'օ', q: 'զ', s: 'ս', u: 'ս' },
];

// Limits per label: alternatives for each of two letters, and spellings of the whole label in a script.
const PAIR_CHOICES = 4;
const WHOLE_SCRIPT_LIMIT = 64;

/** Labels that look like this one: one or two letters exchanged, one letter everywhere, or the whole label. */
export function homoglyphs(label: string): ReadonlySet<string> {
  const letters = Array.from(label);
  const found = new Set<string>();
  for (const script of [latin, ...otherScripts]) {
    letters.forEach((letter, at) => {
      for (const glyph of script[letter] ?? '') {
        const once = letters.with(at, glyph);
        found.add(once.join(''));
        found.add(label.replaceAll(letter, glyph));
      }
    });
    for (const pair of pairsIn(letters, script)) found.add(pair);
  }
  for (const script of otherScripts) for (const lookAlike of inScript(letters, script)) found.add(lookAlike);
  return found;
}

/** Both glyphs are of one script, because registries reject labels that mix other scripts than Latin. */
function* pairsIn(letters: readonly string[], script: Readonly<Record<string, string>>): Iterable<string> {
  const choices = letters.map((letter) => Array.from(script[letter] ?? '').slice(0, PAIR_CHOICES));
  for (const [first, glyphs] of choices.entries())
    for (const [second, others] of choices.entries())
      if (first < second)
        for (const glyph of glyphs)
          for (const other of others) yield letters.with(first, glyph).with(second, other).join('');
}

/** All spellings in one script; none if a letter has no counterpart. Digits and hyphens are unchanged. */
function inScript(letters: readonly string[], script: Readonly<Record<string, string>>): readonly string[] {
  let spellings = [''];
  for (const letter of letters) {
    const glyphs = /[a-z]/.test(letter) ? script[letter] : letter;
    if (glyphs === undefined) return [];
    const usable = spellings.length * glyphs.length > WHOLE_SCRIPT_LIMIT ? glyphs.slice(0, 1) : glyphs;
    spellings = spellings.flatMap((text) => Array.from(usable, (glyph) => text + glyph));
  }
  return spellings;
}
