import { type Directive, findDirective } from '../abilities/directives.ts';
import type { Rule } from './rule.ts';

export const hiddenInstructions: Rule = {
  name: 'hidden-instructions',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'directives to a model, by their words' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const comment of file.body?.htmlComments ?? []) {
      const directive = findDirective(comment);
      if (!directive) continue;
      yield {
        span: comment.span,
        message: `This comment ${TOLD[directive]}. A reader of the page does not see it, and the model does: write it where people read it, or remove it.`,
      };
    }
  },
};

const TOLD: Readonly<Record<Directive, string>> = {
  override: 'tells the model to leave its instructions aside',
  conceal: 'tells the model to keep something from the user',
  command: 'tells the model what to do',
};
