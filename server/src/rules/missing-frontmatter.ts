import type { Draft } from '../finding.ts';
import { findFences } from '../languages/yaml/frontmatter-fences.ts';
import { isNull } from '../languages/yaml/node.ts';
import type { SkillDocument } from '../skill/document.ts';
import { kebabName, promisedName } from '../skill/kebab-name.ts';
import { lineBreakOf, sliceOf, span } from '../text.ts';
import { placeOfMissingKey } from './common/drafts.ts';
import { fixHere, type Rule } from './rule.ts';

export const missingFrontmatter: Rule = {
  name: 'missing-frontmatter',
  code: 'missing-frontmatter',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, sections 1 and 2' },
  dialects: ['composer', 'contract', 'agent-skill'],
  readsHeadOnly: true,
  *check(_, document) {
    if (hasFrontmatter(document)) return;
    if (document.dialect === 'contract') yield emptyContract(document);
    else yield findLateFence(document) ?? noFrontmatter(document);
  },
};

/** For a contract, which is all frontmatter, whether it has anything in it. */
export const hasFrontmatter = ({ dialect, frontmatter: { open, tree } }: SkillDocument): boolean =>
  dialect === 'contract' ? tree.root !== undefined && !isNull(tree.root) : open !== undefined;

function noFrontmatter(document: SkillDocument): Draft {
  const { text } = document;
  const lineBreak = lineBreakOf(text);
  const start = startOf(text);
  const rest = text.slice(start);
  const gap = rest === '' || /^[\r\n]/.test(rest) ? '' : lineBreak;
  const skeleton = ['---', ...keysOf(document), '---', ''].join(lineBreak) + gap;
  return {
    span: placeOfMissingKey(document),
    message:
      'This skill has no frontmatter, so it has no name and nobody can find it. Begin the file with `---`, the keys that every skill has, and `---`.',
    fixes: [fixHere(document, 'Add the frontmatter', [{ span: span(start, start), newText: skeleton }])],
  };
}

/** Frontmatter that stands below empty lines, where no reader looks for it. */
function findLateFence(document: SkillDocument): Draft | undefined {
  const { text } = document;
  const start = startOf(text);
  const blank = /^\s+/.exec(text.slice(start))?.[0].length ?? 0;
  if (blank === 0) return undefined;
  const rest = text.slice(start + blank);
  const { close, content } = findFences(rest);
  // Without a key between them the two lines are mere rules.
  if (!close || !/^[\w-]+:/m.test(sliceOf(rest, content))) return undefined;
  const what = /[\r\n]/.test(text.slice(start, start + blank)) ? 'empty lines stand' : 'blanks stand';
  return {
    span: placeOfMissingKey(document),
    message: `The frontmatter counts only at the very start of the file, but ${what} before it. Remove them.`,
    fixes: [
      fixHere(
        document,
        'Remove the lines before the frontmatter',
        [{ span: span(start, start + blank), newText: '' }],
        true,
      ),
    ],
  };
}

function emptyContract(document: SkillDocument): Draft {
  const { text } = document;
  const lineBreak = lineBreakOf(text);
  const written = document.frontmatter.tree.root?.span;
  // `null` or `~`, which no key can stand beside.
  const isWritten = written !== undefined && written.start < written.end;
  const gap = !isWritten && /[^\r\n\uFEFF]$/.test(text) ? lineBreak : '';
  const newText = gap + [...keysOf(document), ...(isWritten ? [] : [''])].join(lineBreak);
  const place = isWritten ? written : span(text.length, text.length);
  return {
    span: placeOfMissingKey(document),
    message: 'This contract has no keys, so there is no skill in it. Add the keys that every skill has.',
    // Behind `...` a second document would begin.
    fixes: /^\.\.\./m.test(text) ? [] : [fixHere(document, 'Add the mandatory keys', [{ span: place, newText }])],
  };
}

const startOf = (text: string): number => (text.startsWith('\uFEFF') ? 1 : 0);

function keysOf({ uri, dialect }: SkillDocument): string[] {
  const identity = [`name: ${kebabName(promisedName(uri)) ?? 'new-skill'}`, `description: ${NEW_DESCRIPTION}`];
  return dialect === 'agent-skill' ? identity : [...identity, 'version: 1.0.0', 'input_schema: {}'];
}

/** Valid as it stands, and plainly to be replaced. */
export const NEW_DESCRIPTION = 'What this skill does, and when to use it.';
