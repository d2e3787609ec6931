import { type Cause, type ClientRow, type Reason, whatOf } from '../agent-skills/cell.ts';
import { foldersOf } from '../agent-skills/matrix.ts';
import { reachesFrom } from '../agent-skills/placed.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { targetRows } from '../analysis/targets.ts';
import type { Fix } from '../finding.ts';
import { inWords } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { span } from '../text.ts';
import {
  ABOUT_CLIENTS,
  badReasons,
  type ClientDefect,
  defectsOf,
  draftOf,
} from './common/agent-skill/client-findings.ts';
import { findFolderName, renameTo } from './common/agent-skill/naming.ts';
import { fixHere, type Rule } from './rule.ts';

/** A skill that a client does not load, or loads and does not show to its model. */
export const agentSkillNotLoaded: Rule = {
  name: 'agent-skill-not-loaded',
  severity: 'error',
  ...ABOUT_CLIENTS,
  readsBroken: true,
  *check(file, analysis) {
    const { rows, isChosen } = targetRows(analysis, file);
    // A group of skills that one of the guessed clients finds is laid out for that one.
    const isFoundByGuess = !isChosen && rows.some(({ found }) => found.outcome === 'yes');
    for (const [reasonsOf, fate] of [
      [isFoundByGuess ? () => [] : notFound(file, analysis, isChosen), 'load'],
      [({ loaded }: ClientRow) => (loaded.outcome === 'no' ? loaded.reasons : []), 'load'],
      [({ listed }: ClientRow) => (listed.outcome === 'no' ? listed.reasons : []), 'show'],
    ] as const) {
      for (const defect of defectsOf(file, rows, (row) => badReasons(reasonsOf(row)))) {
        const { names, isOne, cause } = defect;
        const told = `${names} ${verb(fate, isOne)}.`;
        yield draftOf(file, defect, messageOf(defect, fate), told, { fixes: fixesOf(file, cause) });
      }
    }
  },
};

type Fate = 'load' | 'show';

const verb = (fate: Fate, isOne: boolean): string =>
  `${isOne ? 'does' : 'do'} not ${fate === 'load' ? 'load this skill' : 'show this skill to the model'}`;

function messageOf({ cause, clients, reasons, names, isOne }: ClientDefect, fate: Fate): string {
  const [first] = reasons;
  const isSilent = reasons.every(({ text }) => text.includes('nobody is told'));
  const does = `${names} ${verb(fate, isOne)}${isSilent ? `, and ${isOne ? 'says' : 'say'} nothing` : ''}`;
  if (cause.kind === 'place' && cause.key === undefined) {
    const reads = clients.map((client) => `${client.name} reads ${inWords(foldersOf(client), 'and')}`);
    return `${does}. ${reads.join('; ')}. ${ADVICE.get('place') ?? ''}`;
  }
  if (cause.kind === 'place' || cause.kind === 'file-name') {
    return `${does}. ${first?.text ?? ''} ${ADVICE.get(cause.key ?? cause.kind) ?? ''}`.trim();
  }
  if (cause.kind === 'duplicate_name') return `${does}. ${first?.text ?? ''} Give one of them another name.`;
  const what = whatOf(cause);
  return `${does}. ${what}. ${ADVICE.get(cause.kind) ?? ''}`.trim();
}

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['place', 'Move the skill there, or take the client off the list of targets.'],
  ['depth', "Move the skill's folder."],
  ['link', 'Put the file itself there.'],
  ['file-name', 'Rename the file.'],
  ['bom', 'Save the file without it.'],
  ['crlf', 'Save the file with line feeds alone.'],
  ['name_bad_chars', 'Write lower-case letters, digits and single hyphens.'],
  ['name_too_long', 'Shorten it.'],
  ['description_too_long', 'Shorten it.'],
  ['unknown_key', 'Move it under `metadata`, or leave it out.'],
  ['wrong_type', 'Write a value of that type.'],
  ['file_too_large', 'Move parts of it into files of their own.'],
  ['empty_body', 'Say there what the skill does.'],
]);

function fixesOf(file: SkillFile, { kind }: Cause): readonly Fix[] {
  if (kind === 'bom') return fixHere(file, 'Remove the byte order mark', [{ span: span(0, 1), newText: '' }], true);
  return kind === 'name_bad_chars' ? renameTo(file, [findFolderName(file)]) : [];
}

/** A skill in the folder of another client is told where the author named the clients, and has no copy that is found. */
function notFound(file: SkillFile, analysis: Analysis, isChosen: boolean): (row: ClientRow) => readonly Reason[] {
  const { agentSkills } = analysis;
  const subject = agentSkills.find(file.uri);
  if (!subject) return () => [];
  return ({ client, found }) => {
    if (found.outcome !== 'no') return [];
    // What lies within the folder of another skill is a part of that skill.
    if (agentSkills.isWithinSkill(subject)) return [];
    if (found.reasons.some(({ cause }) => cause?.key === 'depth')) return found.reasons;
    if (!isChosen || agentSkills.hasCopy(subject, (other) => reachesFrom(client, other))) return [];
    return found.reasons;
  };
}
