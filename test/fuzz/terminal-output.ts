import fc from 'fast-check';

const ESC = '\x1b';
const bytes = (text: string) => Buffer.from(text, 'latin1');

const parameter = fc.oneof(
  fc.constantFrom('', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '11', '13', '14', '18', '20', '22', '25', '38', '47', '48', '58'),
  fc.constantFrom(
    '66',
    '1000',
    '1002',
    '1003',
    '1004',
    '1005',
    '1006',
    '1015',
    '1016',
    '1047',
    '1048',
    '1049',
    '2004',
    '2026',
    '2031',
    '2048',
  ),
  fc.nat({ max: 120 }).map(String),
  fc.constantFrom('2000', '38;5;200', '48;2;1;2;3', '4:3', '58:2::9:8:7', '0006'),
);
const parameters = fc.array(fc.tuple(parameter, fc.constantFrom(';', ';', ';', ':')), { maxLength: 4 }).map((pairs) => {
  const text = pairs.map(([value, separator]) => value + separator).join('');
  return text.slice(0, -1);
});
const finals = fc.integer({ min: 0x40, max: 0x7e }).map((code) => String.fromCharCode(code));
const common = fc.constantFrom(
  'm',
  'm',
  'm',
  'h',
  'l',
  'h',
  'l',
  'H',
  'A',
  'B',
  'C',
  'D',
  'J',
  'K',
  'r',
  's',
  'u',
  'n',
  'c',
  't',
  'q',
  'p',
);

export const controlSequences = fc
  .tuple(
    fc.constantFrom(`${ESC}[`, `${ESC}[`, `${ESC}[`, '\xc2\x9b'),
    fc.constantFrom('', '', '', '?', '?', '>', '=', '<'),
    parameters,
    fc.constantFrom('', '', '', '', ' ', '!', '"', '#', '$', '&', "'", '*', '$ '),
    fc.oneof(common, finals),
  )
  .map((parts) => parts.join(''));

const plainPayload = fc.string({ unit: fc.constantFrom(...'?;=:,aGqRp0123rgb:/cx'), maxLength: 12 });
const commandNumber = fc.oneof(
  fc.constantFrom(
    '0',
    '2',
    '4',
    '5',
    '8',
    '10',
    '11',
    '12',
    '21',
    '22',
    '50',
    '52',
    '60',
    '99',
    '104',
    '110',
    '1337',
    '5522',
    '7501',
    '7750',
  ),
  fc.nat({ max: 140 }).map(String),
);
const operatingSystemCommands = fc
  .tuple(fc.constantFrom(`${ESC}]`, `${ESC}]`, '\xc2\x9d'), commandNumber, fc.constantFrom(';', ';', ''), plainPayload)
  .map((parts) => parts.join(''));
const otherStrings = fc
  .tuple(
    fc.constantFrom(`${ESC}P`, `${ESC}P$q`, `${ESC}P+q`, `${ESC}P1$r`, `${ESC}_G`, `${ESC}_`, `${ESC}^`, `${ESC}X`, '\xc2\x90', '\xc2\x9f'),
    plainPayload,
  )
  .map((parts) => parts.join(''));
const ends = fc.constantFrom('\x07', `${ESC}\\`, `${ESC}\\`, '\xc2\x9c', '\x18', '\x1a', '', ESC);
export const strings = fc.tuple(fc.oneof(operatingSystemCommands, otherStrings), ends).map((parts) => parts.join(''));

const escapes = fc
  .tuple(fc.constantFrom('', '', '(', ')', '*', '+', '#', ' ', '%'), fc.integer({ min: 0x30, max: 0x7e }))
  .map(([intermediate, final]) => ESC + intermediate + String.fromCharCode(final));
export const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abclqxn6?;[]c 0~'), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')).toString('latin1')),
  fc.constantFrom('\r\n', '\n', '\r', '\t', '\b', '\x0e', '\x0f', '\x07', '\x00', '\x7f'),
);
const fragments = fc.constantFrom(
  ESC,
  `${ESC}[`,
  `${ESC}]`,
  `${ESC}P`,
  `${ESC}Ptmux;`,
  '\xc2',
  '\xe2\x82',
  '\x9b',
  '\x05',
  '\x18',
  '6n',
  '?',
  ';',
);
const wild = fc.uint8Array({ maxLength: 5 }).map((array) => Buffer.from(array).toString('latin1'));

const pieces = fc.oneof(
  { weight: 6, arbitrary: controlSequences },
  { weight: 4, arbitrary: strings },
  { weight: 2, arbitrary: escapes },
  { weight: 3, arbitrary: texts },
  { weight: 2, arbitrary: fragments },
  { weight: 1, arbitrary: wild },
);

function joined(arbitrary: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc.array(arbitrary, { maxLength }).map((parts) => parts.join(''));
}

const wrapped = joined(pieces, 4).map((inner) => `${ESC}Ptmux;${inner.replaceAll(ESC, ESC + ESC)}${ESC}\\`);

/** Whatever a program may write: whole, nested, broken off and mangled sequences between texts. */
export const hostileOutput = joined(fc.oneof({ weight: 12, arbitrary: pieces }, { weight: 1, arbitrary: wrapped }), 14).map(bytes);

/** What programs that mean well write: whole sequences and whole characters. */
export const orderlyOutput = joined(
  fc.oneof(
    { weight: 5, arbitrary: controlSequences },
    { weight: 2, arbitrary: strings.filter((text) => /(?:\x07|\x1b\\)$/.test(text)) },
    { weight: 1, arbitrary: escapes.filter((text) => !/^\x1b[P\]X^_[c]/.test(text)) },
    { weight: 4, arbitrary: texts },
  ),
  16,
).map(bytes);
