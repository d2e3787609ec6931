import type { Draft } from '../finding.ts';
import { findFences } from '../languages/yaml/frontmatter.ts';
import { inWords } from '../nearest.ts';
import { missingKeySpan } from '../skill/head.ts';
import { kebabName } from '../skill/kebab-name.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineBreakOf, sliceOf, span } from '../text.ts';
import { nameFromUri } from '../vocabulary/dialect.ts';
import { hasFrontmatter, NEW_DESCRIPTION } from './common/insert-key.ts';
import { fixHere, type Rule } from './rule.ts';

export const missingFrontmatter: Rule = {
  name: 'missing-frontmatter',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 1 and 2' },
  dialects: ['composer', 'contract', 'agent-skill'],
  isSuppressible: false,
  *check(file) {
    if (hasFrontmatter(file) || isPartOfSkill(file)) return;
    if (file.dialect === 'contract') yield emptyContract(file);
    else yield findLateFence(file) ?? noFrontmatter(file);
  },
};

/**
 * Returns whether a `SKILL.md` begins with a comment that marks the start of a region. Some tools build a skill from
 * several such files.
 */
const isPartOfSkill = ({ dialect, text }: SkillFile): boolean =>
  dialect === 'agent-skill' && /^\uFEFF?<!--[^\r\n]{0,200}\b(?:start|begin)\s*-->/i.test(text);

function noFrontmatter(file: SkillFile): Draft {
  const { text } = file;
  const lineBreak = lineBreakOf(text);
  const start = startOf(text);
  const rest = text.slice(start);
  const gap = rest === '' || /^[\r\n]/.test(rest) ? '' : lineBreak;
  const skeleton = ['---', ...keysOf(file), '---', ''].join(lineBreak) + gap;
  return {
    span: missingKeySpan(file),
    message: `This skill has no frontmatter. Begin the file with ${mandatoryKeys(file)} between two lines \`---\`.`,
    fixes: fixHere(file, 'Add the frontmatter', [{ span: span(start, start), newText: skeleton }]),
  };
}

/** Finds frontmatter after empty lines or spaces, where most clients do not read it. */
function findLateFence(file: SkillFile): Draft | undefined {
  const { text } = file;
  const start = startOf(text);
  const blank = /^\s+/.exec(text.slice(start))?.[0].length ?? 0;
  if (blank === 0) return undefined;
  const rest = text.slice(start + blank);
  const { close, content } = findFences(rest);
  // Two `---` lines without a key in between are thematic breaks of Markdown.
  if (!close || !/^[\w-]+:/m.test(sliceOf(rest, content))) return undefined;
  const edits = [{ span: span(start, start + blank), newText: '' }];
  const what = /[\r\n]/.test(text.slice(start, start + blank)) ? 'empty lines' : 'spaces';
  return {
    span: missingKeySpan(file),
    message: `The frontmatter must be at the very start of the file. Remove the ${what} before it.`,
    fixes: fixHere(file, 'Remove the lines before the frontmatter', edits, true),
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
    fixes: /^\.\.\./m.test(text) ? [] : fixHere(file, 'Add the mandatory keys', [{ span: place, newText }]),
  };
}

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
