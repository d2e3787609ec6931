/** Rules about the names of interrupts (docs/format.md, section 5, "Interrupts"). */

import { declareIn } from '../../analysis/name-fixes.ts';
import { ownPackageOf } from '../../analysis/package-of.ts';
import { removeFromList } from '../../analysis/removals.ts';
import { whyNeverFired } from '../../composer/subgraph.ts';
import { placesHere } from '../../finding.ts';
import { byName, referencesTo } from '../../skill/mentions.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { unknownNames } from './unknown-names.ts';

/** Reports an interrupt that neither the composer nor the catalog defines. */
export const unknownInterrupt: Rule = {
  name: 'unknown-interrupt',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { isBroken, interrupts } = analysis.catalogOf(file.uri);
    // A catalog that does not parse may declare the interrupt.
    if (isBroken) return;
    yield* unknownNames(analysis, file, {
      key: 'interrupts',
      mentions: byName(referencesTo(file, 'interrupt')),
      isKnown: (name) => interrupts.has(name),
      known: () => [...interrupts.keys()],
      message: (name, suggestion) =>
        `Unknown interrupt \`${name}\`.${suggestion || ' Add your own interrupts to `interrupts` in the catalog.'}`,
      catalogItem: (name) => `{name: ${name}, node: call_tools}`,
    });
  },
};

/** Reports an interrupt that the body names and the catalog or composer knows, but the contract does not declare. */
export const undeclaredInterrupt: Rule = {
  name: 'undeclared-interrupt',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { interrupts } = analysis.catalogOf(file.uri);
    const declared = new Set(file.contract.interrupts.map(({ name }) => name));
    for (const [name, [first, ...others]] of byName(referencesTo(file, 'interrupt'))) {
      if (declared.has(name) || !interrupts.has(name)) continue;
      yield {
        span: first.span,
        message: `\`${name}\` is not declared in \`interrupts\`, so it never fires. Declare it.`,
        related: placesHere(file, others, `\`${name}\` is also used here`),
        fixes: declareIn(file, 'interrupts', name, `Declare \`${name}\` in \`interrupts\``),
      };
    }
  },
};

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
