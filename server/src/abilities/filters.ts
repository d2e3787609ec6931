/** Checks that the programs of `sed` and `awk` only read their input and print (docs/abilities.md, "Not analysed"). */

/** Addresses, then a command without a file name and without the flags `e` and `w`. */
const SED_COMMAND =
  /[\s;{}]*(?:(?:\d{1,9}(?:[~,+]\d{1,9})?|\$|\/(?:\\.|[^/\\\n]){0,400}\/[IM]{0,2})(?:,[ \t]{0,4}(?:[+~]?\d{1,9}|\$|\/(?:\\.|[^/\\\n]){0,400}\/[IM]{0,2}))?)?[ \t]{0,9}!?[ \t]{0,9}(?:[dDgGhHnNpPxz=](?=[\s;}]|$)|[qQ]\d{0,3}(?=[\s;}]|$)|[btT][ \t]{0,9}\w{0,40}(?=[\s;}]|$)|:[ \t]{0,9}\w{1,40}|\{|s([^\w\s\\])(?:\\[\s\S]|(?!\1)[^\\\n]){0,2000}\1(?:\\[\s\S]|(?!\1)[^\\\n]){0,2000}\1[gpIiMm0-9]{0,6}(?=[\s;}]|$)|y([^\w\s\\])(?:\\.|(?!\2)[^\\\n]){0,400}\2(?:\\.|(?!\2)[^\\\n]){0,400}\2(?=[\s;}]|$))/y;

/** The maximum length of a program that is read, in UTF-16 code units. */
const MAX_PROGRAM = 20_000;

/** Returns whether a `sed` program has no command that runs a program or writes a file. Other programs may have none, either. */
export function isHarmlessSed(program: string): boolean {
  if (program.length > MAX_PROGRAM) return false;
  const command = new RegExp(SED_COMMAND);
  const end = program.replace(/[\s;{}]+$/, '').length;
  while (command.lastIndex < end) if (!command.test(program)) return false;
  return true;
}

/** Returns whether an `awk` program has no pipe, no output to a file, and no call that runs a program. */
export function isHarmlessAwk(program: string): boolean {
  if (program.length > MAX_PROGRAM) return false;
  const code = withoutAwkLiterals(program);
  if (code === undefined || /(?<!\|)\|(?!\|)|\bsystem\b|\bgetline\b|@/.test(code)) return false;
  // A statement continues after a comma, an operator and a backslash at the end of a line.
  return code
    .replace(/(,|&&|\|\||\\)[ \t\r]{0,40}\n/g, '$1 ')
    .split(/[;{}\n]/)
    .every((statement) => !statement.slice(PRINT.exec(statement)?.index ?? statement.length).includes('>'));
}

const PRINT = /\bprintf?\b/;

/** Removes the strings, regular expressions and comments; undefined if one of them is not closed. */
function withoutAwkLiterals(program: string): string | undefined {
  let code = '';
  for (let at = 0; at < program.length; ) {
    const character = program[at] as string;
    const isPattern = character === '/' && /(?:^|[(,~!&|{};\n])[ \t]*$/.test(code.slice(-40));
    if (character === '#') {
      at = program.indexOf('\n', at);
      if (at < 0) return code;
    } else if (character === '"' || isPattern) {
      const literal = character === '"' ? /"(?:\\.|[^"\\\n])*"/y : /\/(?:\\.|[^/\\\n])*\//y;
      literal.lastIndex = at;
      const found = literal.exec(program)?.[0];
      if (found === undefined) return undefined;
      code += ' 0 ';
      at += found.length;
    } else {
      code += character;
      at++;
    }
  }
  return code;
}
