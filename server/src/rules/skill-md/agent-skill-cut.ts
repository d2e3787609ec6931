import { cutReasons } from '../../analysis/not-listed.ts';
import { targetRows } from '../../analysis/targets.ts';
import { describeCause } from '../../clients/matrix/causes.ts';
import { formatNumber } from '../../format-amounts.ts';
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
      yield draftOf(file, defect, messageOf(defect), addedMessage, shorteningOf(defect));
    }
  },
};

function messageOf({ cause, reasons, names, isOne }: ClientDefect): string {
  const cuts = reasons.flatMap((reason) => reason.cause?.cut ?? []);
  const amounts = [...new Set(cuts.map(({ to }) => to))].sort((a, b) => a - b).map(formatNumber);
  const whole = Math.max(0, ...cuts.map(({ of }) => of));
  const does = `${names} ${isOne ? 'cuts' : 'cut'} this`;
  const seen = `the model sees ${amounts.join(' or ')} of ${formatNumber(whole)} characters`;
  return `${does}: ${seen}. ${describeCause(cause)}: shorten it, or put the most important words first.`;
}
