/** The place in a `SKILL.md` of a cause, for findings. */
import { findEntry, mapEntries } from '../../languages/yaml/node.ts';
import { missingKeySpan, type SkillFile } from '../../skill/skill-file.ts';
import { endOfLine, type Span, span } from '../../text.ts';
import { type Cause, stepOf } from './causes.ts';

/** The lengths of the characters that are causes. */
const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['parse/tab', 1],
  ['parse/line-break', 1],
  ['parse/escape', 2],
]);

/** Returns the span of a cause in a `SKILL.md`. */
export function spanOfCause(file: SkillFile, cause: Cause): Span {
  const { code, key } = cause;
  // Clients may read more characters than an editor shows.
  const at = cause.at === undefined ? undefined : Math.min(cause.at, file.text.length);
  const { tree } = file.frontmatter;
  const step = stepOf(cause);
  if (code === 'open/bom') return span(0, 1);
  if (step === 'open' || step === 'parse') {
    const keys = mapEntries(tree.root).filter((one) => String(one.key.value) === key);
    const twice = keys.find((one) => one.key.span.start === at) ?? keys.at(-1);
    if (code === 'parse/duplicate-key' && twice) return twice.key.span;
    const isOfFence = code === 'open/no-frontmatter' || code === 'open/before';
    const problem = isOfFence ? undefined : tree.problems.find(({ kind }) => kind === 'syntax');
    if (problem) return problem.span;
    const length = LENGTHS.get(code);
    if (at !== undefined && length !== undefined) return span(at, at + length);
    return at === undefined || (at === 0 && !file.frontmatter.open) ? missingKeySpan(file) : restOfLine(file.text, at);
  }
  const entry = key === undefined ? undefined : findEntry(tree.root, key);
  if (!entry) return missingKeySpan(file);
  const isOfKey = step === 'keys' || code === 'admit/key' || code === 'fields/unknown-key';
  return !isOfKey && entry.value.span.start < entry.value.span.end ? entry.value.span : entry.key.span;
}

/** Returns the rest of the line from an offset, or the whole line at its end. */
function restOfLine(text: string, at: number): Span {
  const start = text.slice(at, endOfLine(text, at)).trim() === '' ? text.lastIndexOf('\n', at - 1) + 1 : at;
  return span(start, Math.max(start, endOfLine(text, start)));
}
