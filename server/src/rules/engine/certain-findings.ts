/**
 * Finds out which findings are certain although the frontmatter is not valid YAML: those about keys that are read as they
 * are after the defects are repaired (docs/rules/invalid-yaml.md).
 */
import type { Draft, Fix } from '../../finding.ts';
import { CONFLICT_MESSAGE } from '../../languages/yaml/merge-conflict.ts';
import { mapEntries, type YamlEntry, type YamlProblem } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, overlaps, type Span, sliceOf, span } from '../../text.ts';
import { isClearFix } from '../any-file/invalid-yaml.ts';

/** Returns a function that keeps the certain drafts of a rule, without the fixes that change uncertain text. */
export function certainIn(file: SkillFile): (drafts: Iterable<Draft>) => Iterable<Draft> {
  const { tree } = file.frontmatter;
  const problems = tree.problems.filter(({ kind }) => kind === 'syntax');
  const entries = mapEntries(tree.root);
  if (entries.length === 0 || problems.some(({ message }) => message === CONFLICT_MESSAGE)) return () => [];
  const uncertain = problems.flatMap((problem) => uncertainPart(file, problem, entries));
  const isUncertain = (place: Span): boolean => uncertain.some((part) => overlaps(part, place));
  const edited = problems.flatMap(({ fix }) => fix?.edits ?? []);
  const isWritten = (key: string): boolean =>
    sliceOf(file.text, tree.span)
      .split(/\r\n?|\n/)
      .some((line) => line.trimStart().replace(/^["']/, '').startsWith(key));
  return function* (drafts) {
    for (const draft of drafts) {
      const missing = (draft.about ?? []).filter((key) => !entries.some((one) => String(one.key.value) === key));
      if (missing.length > 0 ? uncertain.length > 0 || missing.some(isWritten) : isUncertain(draft.span)) continue;
      const changed = (fix: Fix): readonly Span[] =>
        fix.edits.flatMap(({ uri, edits }) => (uri === file.uri ? edits.map((one) => one.span) : []));
      const fixes = (draft.fixes ?? []).filter((fix) =>
        changed(fix).every((place) => !isUncertain(place) && !edited.some((one) => overlaps(one.span, place))),
      );
      yield { ...draft, fixes };
    }
  };
}

/**
 * Returns the text whose meaning is not known: an entry with a defect in a part of it, or all text after a defect without a
 * clear fix.
 */
function uncertainPart(file: SkillFile, problem: YamlProblem, entries: readonly YamlEntry[]): readonly Span[] {
  const own = entries.find(({ span: one }) => one.end >= problem.span.start);
  if (isClearFix(file, problem)) {
    if (!own || (own.value.kind === 'scalar' && contains(problem.span, own.value.span))) return [];
    return [overlaps(own.key.span, problem.span) ? own.span : own.value.span];
  }
  const start = Math.min(problem.span.start, own?.value.span.start ?? problem.span.start);
  return [span(start, file.frontmatter.tree.span.end)];
}
