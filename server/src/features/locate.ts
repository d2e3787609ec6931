/** Converts offsets to LSP positions and back, in the encoding that client and server agreed on. */
import type { Position, Range } from 'vscode-languageserver-types';
import type { SkillFile } from '../skill/skill-file.ts';
import { byteLength, bytesOf, lineEnd, offsetAt, positionAt, type Span } from '../text.ts';

/** The part of a file that positions depend on. */
export type Located = Pick<SkillFile, 'text' | 'lines'>;

export interface Locate {
  range(file: Located, span: Span): Range;
  offset(file: Located, position: Position): number;
}

export const utf16: Locate = {
  range: (file, { start, end }) => ({
    start: positionAt(file.lines, start),
    end: positionAt(file.lines, end),
  }),
  offset: ({ text, lines }, position) => offsetAt(text, lines, position),
};

export const utf8: Locate = {
  range: (file, { start, end }) => ({ start: bytePosition(file, start), end: bytePosition(file, end) }),
  offset({ text, lines }, { line, character }) {
    const start = lines[line];
    if (start === undefined) return text.length;
    const end = lineEnd(text, lines, line);
    let offset = start;
    for (let bytes = 0; offset < end && bytes < character; ) {
      const code = text.codePointAt(offset) as number;
      bytes += bytesOf(code);
      offset += code > 0xffff ? 2 : 1;
    }
    return offset;
  },
};

function bytePosition({ text, lines }: Located, offset: number): Position {
  const { line, character } = positionAt(lines, offset);
  return { line, character: byteLength(text, offset - character, offset) };
}
