/** The fixes for causes of what clients do with a `SKILL.md`. */
import type { Cause, CauseCode } from '../../clients/matrix/causes.ts';
import { CORRECTABLE, type Correctable, correctionOf } from '../../clients/pipeline/corrections.ts';
import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { quoteScalar, setScalar } from '../../languages/yaml/edit.ts';
import { parseFrontmatter } from '../../languages/yaml/frontmatter.ts';
import { findEntry, findValue, jsonOf } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits } from '../../text.ts';
import { moveUnderMetadata } from './entries.ts';
import { findFolderName, nameNode, renameTo } from './naming.ts';

const TITLES: Readonly<Record<Correctable, string>> = {
  'open/bom': 'Remove the byte order mark',
  'open/cr': 'Replace CR with LF',
  'parse/tab': 'Replace tabs with spaces',
  'parse/line-break': 'Replace line separators with spaces',
  'parse/escape': 'Replace `\\/` with `/`',
};

/** Returns the fixes that remove a cause; none if the right text is not known. */
export function fixesFor(file: SkillFile, { code, key }: Cause): readonly Fix[] {
  if (isCorrectable(code)) return corrected(file, code);
  const entry = key === undefined ? undefined : findEntry(file.frontmatter.tree.root, key);
  switch (code) {
    case 'fields/tags':
      return withoutTags(file);
    case 'fields/unknown-key': {
      const { edits } = entry ? moveUnderMetadata(file, [entry]) : { edits: [] };
      return fixHere(file, `Move \`${key}\` under \`metadata\``, edits);
    }
    case 'fields/type':
      return entry?.value.kind === 'scalar' && entry.value.value !== null
        ? fixHere(file, 'Quote it', quoteScalar(file.text, entry.value.span), true)
        : [];
    case 'fields/missing':
    case 'admit/missing':
      return [];
    default:
      return key === 'name' ? renameToFolder(file) : [];
  }
}

const isCorrectable = (code: CauseCode): code is Correctable => CORRECTABLE.some((one) => one === code);

/** Returns the fix that replaces characters. It is safe if the frontmatter has the same values after it. */
function corrected(file: SkillFile, code: Correctable): readonly Fix[] {
  const edits = correctionOf(file.text, code);
  const after = parseFrontmatter(applyEdits(file.text, edits), 'hyphens').tree;
  const { tree } = file.frontmatter;
  const isSame = !tree.broken && JSON.stringify(jsonOf(tree.root)) === JSON.stringify(jsonOf(after.root));
  return fixHere(file, TITLES[code], edits, isSame);
}

function renameToFolder(file: SkillFile): readonly Fix[] {
  const folder = findFolderName(file);
  return folder !== undefined && folder !== nameNode(file)?.value ? renameTo(file, [folder]) : [];
}

/** Words and characters for `<` and `>`, in the order in which they are replaced. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/<([A-Za-z][\w-]*)[^<>]*>([^<>]*)<\/\1>/g, '$2'],
  [/<\/?([A-Za-z][^<>]*?)\s*\/?>/g, '$1'],
  [/[-=]+>/g, '→'],
  [/<[-=]+(?=\s\D)/g, '←'],
  [/<=/g, '≤'],
  [/>=/g, '≥'],
  [/\s*<\s*(?=\d)/g, ' less than '],
  [/\s*>\s*(?=\d)/g, ' more than '],
];

/** Offers to write the description without `<` and `>`. */
function withoutTags(file: SkillFile): readonly Fix[] {
  const node = findValue(file.frontmatter.tree.root, 'description');
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return [];
  const plain = PLAIN.reduce((text, [found, better]) => text.replace(found, better), node.value);
  return /[<>]/.test(plain) ? [] : fixHere(file, 'Write it without `<` and `>`', setScalar(file.text, node, plain));
}
