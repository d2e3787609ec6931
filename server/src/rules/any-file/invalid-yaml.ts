import type { Draft, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { doubleQuoted, escapesInPaths } from '../../languages/yaml/drive-paths.ts';
import { CONFLICT_MESSAGE } from '../../languages/yaml/merge-conflict.ts';
import { mapEntries, type YamlProblem } from '../../languages/yaml/node.ts';
import { quotedAsWritten } from '../../languages/yaml/quote.ts';
import { findSwallowedKeys, type SwallowedKeys } from '../../languages/yaml/swallowed-keys.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { endOfLine, type Span, sliceOf, span } from '../../text.ts';
import { knownAgentSkillKeys } from '../../vocabulary/agent-skill-clients.ts';
import { tableOf } from '../../vocabulary/tables.ts';
import type { Rule } from '../engine/rule.ts';
import { resolveConflicts } from './resolve-conflicts.ts';

/** The start of a value that may be meant as a list, a map, an anchor, an alias or a tag. */
const AMBIGUOUS = /^(?:[[&*!]|\{(?!\{))/;

export const invalidYaml: Rule = {
  name: 'invalid-yaml',
  severity: 'error',
  evidence: { kind: 'spec', source: 'YAML 1.2.2' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  readsBroken: true,
  *check(file) {
    for (const { kind, span, message, fix } of file.frontmatter.tree.problems) {
      if (kind !== 'syntax') continue;
      if (message === CONFLICT_MESSAGE) {
        yield { span, message, fixes: resolveConflicts(file) };
        continue;
      }
      const swallowed = fix && swallowedKeys(file, span);
      const safe = !swallowed && isClear(file, span, fix);
      const fixes = fix ? fixHere(file, fix.title, fix.edits, safe) : [];
      yield swallowed ? draftOf(file, span, swallowed, fixes) : { span, message, fixes };
    }
    if (file.frontmatter.tree.broken) return;
    yield* cutTexts(file);
    yield* escapedPaths(file);
  },
};

const swallowedKeys = (file: SkillFile, span: Span): SwallowedKeys | undefined =>
  findSwallowedKeys(file.text, file.frontmatter.tree, span, knownKeys(file));

const isClear = ({ text }: SkillFile, span: Span, fix: YamlProblem['fix']): boolean =>
  fix?.isGuess === undefined ? !AMBIGUOUS.test(sliceOf(text, span)) : !fix.isGuess;

/** Returns whether a defect of the YAML has a fix that is certainly what the author meant. */
export const isClearFix = (file: SkillFile, problem: YamlProblem): boolean =>
  problem.fix !== undefined && isClear(file, problem.span, problem.fix) && !swallowedKeys(file, problem.span);

/** The keys whose values are text for people and models. */
const TEXT_KEYS = new Set([
  'description',
  'when_to_use',
  'argument-hint',
  'compatibility',
  'title',
  'summary',
  'purpose',
]);

/** Reports a text that ends at a `#`, which YAML reads as the start of a comment. */
function* cutTexts(file: SkillFile): Iterable<Draft> {
  const { text, frontmatter } = file;
  const { root, comments } = frontmatter.tree;
  for (const { key, value } of mapEntries(root)) {
    if (!TEXT_KEYS.has(String(key.value)) || value.kind !== 'scalar' || value.style !== 'plain') continue;
    const end = endOfLine(text, value.span.end);
    const comment = comments.find(({ span }) => span.start >= value.span.end && span.start < end);
    if (!comment || !isText(sliceOf(text, value.span), text.slice(value.span.end, end).trimEnd())) continue;
    const place = span(comment.span.start, text.slice(0, end).trimEnd().length);
    const isEmpty = value.span.start === value.span.end;
    // The rules for missing keys report an empty description.
    if (isEmpty && key.value === 'description') continue;
    const whole = isEmpty ? place : span(value.span.start, place.end);
    yield {
      severity: 'warning',
      span: place,
      message: `YAML reads a \`#\` after a space as the start of a comment, so \`${String(key.value)}\` ends here. Put the value in quotes.`,
      fixes: fixHere(file, 'Put the value in quotes', [
        { span: whole, newText: quotedAsWritten(sliceOf(text, whole)) },
      ]),
    };
  }
}

/** The names of the characters of escape sequences. */
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['t', 'a tab'],
  ['n', 'a line break'],
  ['r', 'a carriage return'],
]);

/** Reports a path with a drive letter in double quotes, in which a folder begins with the letter of an escape sequence. */
function* escapedPaths({ uri, text, frontmatter }: SkillFile): Iterable<Draft> {
  for (const place of doubleQuoted(frontmatter.tree.root, text)) {
    const escapes = escapesInPaths(text, place);
    const [first] = escapes;
    if (!first) continue;
    const written = sliceOf(text, first);
    const is = ESCAPED.get(written[1] ?? '') ?? 'another character';
    yield {
      severity: 'warning',
      span: first,
      message: `YAML reads \`${written}\` in this path as ${is}. Write \`\\\\\` for a backslash.`,
      fixes: fixHere(
        { uri },
        escapes.length > 1 ? 'Double the backslashes' : 'Double the backslash',
        escapes.map(({ start }) => ({ span: span(start, start), newText: '\\' })),
      ),
    };
  }
}

/** Returns whether a comment after a text is probably its continuation, and not a note of the author. */
function isText(value: string, comment: string): boolean {
  const isSentence = /[.!?。！？]["')\]]?$/.test(value);
  const words = comment.trim().split(/\s+/).length;
  if (/^\s+#\d/.test(comment)) return true;
  if (/^\s+#\S/.test(comment)) return !isSentence || words > 3;
  return !isSentence && /^\s#/.test(comment) && (words > 4 || /[.!?。！？]/.test(comment));
}

const knownKeys = ({ dialect }: SkillFile): Iterable<string> =>
  dialect === 'agent-skill' ? knownAgentSkillKeys() : tableOf(dialect).map(({ name }) => name);

/**
 * Reports a value that contains the next keys, because a line break is missing. The second fix quotes the value, in
 * case the author meant a string with a colon.
 */
function draftOf(file: SkillFile, span: Span, { names, edits }: SwallowedKeys, quotes: readonly Fix[]): Draft {
  const keys = listed(names.map((name) => `\`${name}\``));
  const lines = names.length === 1 ? 'its own line' : 'separate lines';
  return {
    span,
    message: `A line break before ${keys} seems to be missing. Put ${keys} on ${lines}, or put the value in quotes if it is text.`,
    fixes: [...fixHere(file, `Put ${keys} on ${lines}`, edits), ...quotes],
  };
}
