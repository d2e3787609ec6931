import { ownPackageOf } from '../analysis/package-of.ts';
import { whyNeverFired } from '../composer/subgraph.ts';
import { removeFromList } from './common/removals.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a declared interrupt that no node of any subgraph of the skill fires. */
export const unusedInterrupt: Rule = {
  name: 'unused-interrupt',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "Interrupts"' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { body, contract, uri } = file;
    // Stages and references in a part of the body that was only scanned are not known.
    if (contract.interrupts.length === 0 || (body && body.scanned.length > 0)) return;
    if (analysis.catalogOf(uri).isBroken) return;
    const skillPackage = ownPackageOf(analysis, file);
    // A composite may declare the interrupts of the skills that it composes.
    const root = analysis.graph.skills.get(uri);
    const composed = new Set(root && analysis.graph.closureOf(root).flatMap(({ summary }) => summary.interrupts));
    for (const interrupt of skillPackage.interrupts) {
      const { name, span } = interrupt;
      const reason = whyNeverFired(skillPackage, interrupt);
      if (reason === undefined || composed.has(name)) continue;
      const { exit } = skillPackage;
      const isExit = exit.on === 'interrupt' && exit.name === name;
      yield {
        span,
        message: `\`${name}\` never fires: ${reason}. Remove it${isExit ? ', and choose another `exit`' : ''}.`,
        tag: 'unnecessary',
        fixes: isExit ? [] : removeFromList(file, 'interrupts', span, `Remove \`${name}\` from \`interrupts\``),
      };
    }
  },
};
