import type { Draft, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { CONFLICT_MESSAGE, findMergeConflicts } from '../../languages/yaml/merge-conflict.ts';
import { inWords } from '../../nearest.ts';
import { hasFrontmatter, NEW_DESCRIPTION } from '../../skill/insert-key.ts';
import { kebabName } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { lineBreakOf, span } from '../../text.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import { misplacedFrontmatter } from './misplaced-frontmatter.ts';
import { resolveConflicts } from './resolve-conflicts.ts';

export const missingFrontmatter: Rule = {
  name: 'missing-frontmatter',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 1 and 2' },
  dialects: ['composer', 'contract', 'agent-skill'],
  isSuppressible: false,
  *check(file) {
    if (hasFrontmatter(file) || isPartOfSkill(file)) return;
    const [conflict] = findMergeConflicts(file.text);
    if (file.dialect === 'contract') yield emptyContract(file);
    else if (conflict && isBlank(file.text.slice(0, conflict.span.start))) {
      yield { span: conflict.marker, message: CONFLICT_MESSAGE, fixes: resolveConflicts(file) };
    } else {
      const found = misplacedFrontmatter(file);
      yield found ? { span: missingKeySpan(file), message: found.message, fixes: found.fixes } : noFrontmatter(file);
    }
  },
};

/**
 * Returns whether a `SKILL.md` begins with a comment that marks the start of a region. Some tools build a skill from
 * several such files.
 */
const isPartOfSkill = ({ dialect, text }: SkillFile): boolean =>
  dialect === 'agent-skill' && /^\uFEFF?<!--[^\r\n]{0,200}\b(?:start|begin)\s*-->/i.test(text);

const isBlank = (text: string): boolean => text.trim() === '';

function noFrontmatter(file: SkillFile): Draft {
  const { text } = file;
  const [path] = /^\.{1,2}\/[^\r\n`]{1,300}\.md(?=\s*$)/i.exec(text) ?? [];
  if (path !== undefined) {
    return {
      span: missingKeySpan(file),
      message: `This file contains only the path \`${path}\`: git checked a link out as text. Set \`core.symlinks\` to true, and check the file out again.`,
    };
  }
  const lineBreak = lineBreakOf(text);
  const start = startOf(text);
  const rest = text.slice(start);
  const gap = rest === '' || /^[\r\n]/.test(rest) ? '' : lineBreak;
  const skeleton = ['---', ...keysOf(file), '---', ''].join(lineBreak) + gap;
  return {
    span: missingKeySpan(file),
    message: `This skill has no frontmatter. Begin the file with ${mandatoryKeys(file)} between two lines \`---\`.`,
    fixes: filledIn(fixHere(file, 'Add the frontmatter', [{ span: span(start, start), newText: skeleton }])),
  };
}

function emptyContract(file: SkillFile): Draft {
  const { text } = file;
  const lineBreak = lineBreakOf(text);
  const written = file.frontmatter.tree.root?.span;
  // If the contract is only `null` or `~`, the keys replace it.
  const isWritten = written !== undefined && written.start < written.end;
  const gap = !isWritten && /[^\r\n\uFEFF]$/.test(text) ? lineBreak : '';
  const newText = gap + [...keysOf(file), ...(isWritten ? [] : [''])].join(lineBreak);
  const place = isWritten ? written : span(text.length, text.length);
  return {
    span: missingKeySpan(file),
    message: `This contract is empty. Add ${mandatoryKeys(file)}.`,
    // After `...`, the keys would be a second YAML document.
    fixes: /^\.\.\./m.test(text) ? [] : filledIn(fixHere(file, 'Add the mandatory keys', [{ span: place, newText }])),
  };
}

/** Returns fixes whose description the author must replace. */
const filledIn = (fixes: readonly Fix[]): readonly Fix[] =>
  fixes.map((fix) => ({ ...fix, placeholder: NEW_DESCRIPTION }));

const startOf = (text: string): number => (text.startsWith('\uFEFF') ? 1 : 0);

const mandatoryKeys = (file: SkillFile): string =>
  inWords(
    keysOf(file).map((line) => line.slice(0, line.indexOf(':'))),
    'and',
  );

function keysOf({ uri, dialect }: SkillFile): string[] {
  const identity = [`name: ${kebabName(nameFromUri(uri)) ?? 'new-skill'}`, `description: ${NEW_DESCRIPTION}`];
  return dialect === 'agent-skill' ? identity : [...identity, 'version: 1.0.0', 'input_schema: {}'];
}
