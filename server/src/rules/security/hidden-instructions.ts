import { type Directive, findDirective } from '../../abilities/directives.ts';
import type { Rule } from '../engine/rule.ts';

export const hiddenInstructions: Rule = {
  name: 'hidden-instructions',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'typical wording of directives to a model' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const comment of file.body?.htmlComments ?? []) {
      const directive = findDirective(comment);
      if (!directive) continue;
      yield {
        span: comment.span,
        message: `This comment instructs the model${DIRECTIVES[directive]}, and readers of the page do not see it. Move it into the text, or remove it.`,
      };
    }
  },
};

const DIRECTIVES: Readonly<Record<Directive, string>> = {
  override: ' to ignore its instructions',
  conceal: ' to hide something from the user',
  command: '',
};
