/** Findings for `SkillFile.problems`: keys and values that do not match the vocabulary. */
import type { Draft, Fix } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { quoteScalar } from '../../languages/yaml/edit.ts';
import { findValue, type YamlNode } from '../../languages/yaml/node.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { sliceOf } from '../../text.ts';
import type { ShapeFix, ShapeProblem } from '../../vocabulary/check-shape.ts';

/**
 * Returns the problems with values that the vocabulary assigns to `rule`; if `rule` is undefined, the problems that the
 * vocabulary assigns to no rule.
 */
export const valueProblems = ({ problems }: SkillFile, rule: string | undefined): readonly ShapeProblem[] =>
  problems.filter((problem) => problem.kind === 'value' && problem.rule === rule);

/**
 * Returns the problems with frontmatter keys. The vocabulary assigns problems with the keys of an artifact's metadata
 * to another rule.
 */
export const keyProblems = ({ problems }: SkillFile, kind: 'unknown-key' | 'missing-key'): readonly ShapeProblem[] =>
  problems.filter((problem) => problem.kind === kind && problem.rule === undefined);

/**
 * Returns the misspelt top-level keys that a file must have, by the key that each of them means: the unknown key explains
 * that the other one is missing.
 */
export const misspeltMandatoryKeys = (file: SkillFile): ReadonlyMap<string, ShapeProblem> => file.derive(findMisspelt);

function findMisspelt(file: SkillFile): ReadonlyMap<string, ShapeProblem> {
  const { root } = file.frontmatter.tree;
  const unknown = keyProblems(file, 'unknown-key').filter(({ depth }) => depth === 0);
  const missing = keyProblems(file, 'missing-key').filter(
    ({ depth, key }) => depth === 0 && findSkillEntry(root, key) === undefined,
  );
  return new Map(
    missing.flatMap(({ key }) => {
      const own = unknown.find(({ meant }) => meant?.[0] === key);
      return own ? [[key, own] as const] : [];
    }),
  );
}

/** Converts the fixes for a problem to fixes for the file. */
export const fixesOf = (file: SkillFile, fixes: readonly ShapeFix[]): readonly Fix[] =>
  fixes.flatMap(({ title, edits, safe }) => fixHere(file, title, edits, safe));

/** Returns the finding for a problem. */
export const draftOf = (file: SkillFile, problem: ShapeProblem): Draft => ({
  ...(problem.isHint && { severity: 'hint' }),
  span: problem.span,
  message: problem.message,
  ...relatedOf(file, problem),
  fixes: fixesOf(file, problem.fixes),
});

const MAX_RELATED = 30;

/** Returns the places of the first further items with the same wrong type. */
export const relatedOf = (file: SkillFile, { same }: ShapeProblem): Pick<Draft, 'related'> =>
  same
    ? {
        related: placesHere(
          file,
          same.slice(0, MAX_RELATED).map((span) => ({ span })),
          'The same fault is here.',
        ),
      }
    : {};

/**
 * Returns the finding for a value that is not a string. `why` is added to the message. For a number or a boolean, the
 * finding is only a warning, because the standard's own validator reads every scalar as text.
 */
export function textDraft(file: SkillFile, problem: ShapeProblem, why = ''): Draft {
  const draft = draftOf(file, { ...problem, message: `${problem.message}${why && ` ${why}`}` });
  const value = findValue(file.frontmatter.tree.root, problem.key);
  if (value?.kind === 'scalar' && typeof value.value !== 'string') return { ...draft, severity: 'warning' };
  if (!isBracketed(file, value)) return draft;
  return { ...draft, fixes: fixHere(file, 'Quote it', quoteScalar(file.text, value.span)) };
}

/** Returns whether a value is a list on one line, such as `[file]`, which the author probably intended as a string. */
export const isBracketed = ({ text }: SkillFile, value: YamlNode | undefined): value is YamlNode =>
  value !== undefined && value.kind === 'list' && value.flow && !/[\r\n]/.test(sliceOf(text, value.span));
