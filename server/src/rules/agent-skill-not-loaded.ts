import { type Cause, describeCause } from '../agent-skills/cell.ts';
import { foldersOf } from '../agent-skills/matrix.ts';
import { unlistedReasons } from '../analysis/not-listed.ts';
import { targetRows } from '../analysis/targets.ts';
import type { Fix } from '../finding.ts';
import { setScalar } from '../languages/yaml/edit.ts';
import { findValue } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { span } from '../text.ts';
import {
  ABOUT_CLIENTS,
  badReasons,
  type ClientDefect,
  defectsOf,
  draftOf,
  shorteningOf,
} from './common/agent-skill/client-findings.ts';
import { findFolderName, renameTo } from './common/agent-skill/naming.ts';
import { fixHere, type Rule } from './rule.ts';

/** A skill that a client does not load, or loads but does not show to its model. */
export const agentSkillNotLoaded: Rule = {
  name: 'agent-skill-not-loaded',
  severity: 'error',
  ...ABOUT_CLIENTS,
  readsBroken: true,
  *check(file, analysis) {
    const targets = targetRows(analysis, file);
    for (const [loss, reasonsOf] of unlistedReasons(analysis, file.uri, targets)) {
      for (const defect of defectsOf(file, targets.rows, (row) => badReasons(reasonsOf(row)))) {
        const { names, isOne, cause } = defect;
        const joined = `${names} ${verbPhrase(loss, isOne)}.`;
        const isAboutLink = cause.key === 'link' && { isAboutLink: true as const };
        const more = { fixes: fixesOf(file, cause), ...isAboutLink, ...shorteningOf(defect) };
        yield draftOf(file, defect, messageOf(defect, loss), joined, more);
      }
    }
  },
};

type Loss = 'load' | 'show';

const verbPhrase = (fate: Loss, isOne: boolean): string =>
  `${isOne ? 'does' : 'do'} not ${fate === 'load' ? 'load this skill' : 'show this skill to the model'}`;

function messageOf({ cause, clients, reasons, names, isOne }: ClientDefect, fate: Loss): string {
  const [first] = reasons;
  const isSilent = reasons.every((reason) => reason.isSilent);
  const does = `${names} ${verbPhrase(fate, isOne)}${isSilent ? `, and ${isOne ? 'shows' : 'show'} no message` : ''}`;
  if (cause.kind === 'place' && cause.key === undefined) {
    const reads = clients.map((client) => `${client.name} reads ${inWords(foldersOf(client), 'and')}`);
    return `${does}. ${reads.join('; ')}. ${ADVICE.get('place') ?? ''}`;
  }
  if (cause.kind === 'place' || cause.kind === 'file-name') {
    return `${does}. ${first?.text ?? ''} ${ADVICE.get(cause.key ?? cause.kind) ?? ''}`.trim();
  }
  if (cause.kind === 'duplicate_name') return `${does}. ${first?.text ?? ''} Rename one of them.`;
  const what = describeCause(cause);
  return `${does}. ${what}. ${ADVICE.get(cause.kind) ?? ''}`.trim();
}

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['place', 'Move the skill there, or remove the client from the target clients.'],
  ['depth', "Move the skill's folder."],
  ['link', 'Replace the link with the file itself.'],
  ['file-name', 'Rename the file.'],
  ['bom', 'Save the file without it.'],
  ['crlf', 'Save the file with LF line endings.'],
  ['name_bad_chars', 'Use only the letters a to z, digits and single hyphens.'],
  ['name_too_long', 'Shorten it.'],
  ['description_too_long', 'Shorten it.'],
  ['name_reserved', 'Remove the word from the name and from the name of the folder.'],
  ['description_tags', 'Write it without them.'],
  ['unknown_key', 'Move it under `metadata`, or remove it.'],
  ['wrong_type', 'Write a value of that type.'],
  ['file_too_large', 'Move parts of it to other files.'],
  ['empty_body', 'Write the instructions in the body.'],
]);

function fixesOf(file: SkillFile, { kind }: Cause): readonly Fix[] {
  if (kind === 'bom') return fixHere(file, 'Remove the byte order mark', [{ span: span(0, 1), newText: '' }], true);
  if (kind === 'description_tags') return withoutTags(file);
  return kind === 'name_bad_chars' ? renameTo(file, [findFolderName(file)]) : [];
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
