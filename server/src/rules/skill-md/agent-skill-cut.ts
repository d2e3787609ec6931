import { describeCause } from '../../agent-skills/cell.ts';
import { listedLength } from '../../agent-skills/conditions.ts';
import { subjectOf } from '../../agent-skills/subject.ts';
import { cutReasons } from '../../analysis/not-listed.ts';
import { targetRows } from '../../analysis/targets.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Client } from '../../vocabulary/client.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_CLIENTS, badReasons, type ClientDefect, defectsOf, draftOf, shorteningOf } from './client-findings.ts';

/** A description or a name that a client shows to the model only in part. */
export const agentSkillCut: Rule = {
  name: 'agent-skill-cut',
  severity: 'warning',
  ...ABOUT_CLIENTS,
  readsBroken: true,
  *check(file, analysis) {
    const { rows } = targetRows(analysis, file);
    for (const defect of defectsOf(file, rows, (row) => badReasons(cutReasons.whole(row)))) {
      const { names, isOne, cause } = defect;
      const does = `${names} ${isOne ? 'loads' : 'load'} the skill without its description`;
      const message = `${does}, so the model does not know when to use it. ${describeCause(cause)}.`;
      yield draftOf(file, defect, message, `${does}.`);
    }
    for (const defect of defectsOf(file, rows, (row) => badReasons(cutReasons.part(row)))) {
      const { names, isOne } = defect;
      const addedMessage = `${names} ${isOne ? 'cuts' : 'cut'} it.`;
      yield draftOf(file, defect, messageOf(file, defect), addedMessage, shorteningOf(defect));
    }
  },
};

function messageOf(file: SkillFile, { cause, clients, names, isOne }: ClientDefect): string {
  const isName = cause.kind === 'name_too_long';
  const amounts = [...new Set(clients.map((client) => shownCharacters(client, isName)))].sort((a, b) => a - b);
  const { agentSkill } = file.summary;
  const [limit] = clients.map(({ limits }) => limits.description?.value ?? {});
  const written = isName || !agentSkill ? undefined : listedLength(limit ?? {}, subjectOf(file.uri, agentSkill));
  const does = `${names} ${isOne ? 'cuts' : 'cut'} this`;
  const total = written === undefined ? '' : ` of ${written.toLocaleString('en')}`;
  return `${does}: the model sees ${amounts.map((amount) => amount.toLocaleString('en')).join(' or ')}${total} characters. ${describeCause(cause)}: shorten it, or put the most important words first.`;
}

function shownCharacters({ limits }: Client, isName: boolean): number {
  const { listing, max } = (isName ? limits.name : limits.description)?.value ?? {};
  return listing ?? max ?? 0;
}
