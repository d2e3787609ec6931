/** Syntax that the parser accepts, and that MiniJinja 2.11, which the tables of builtins describe, does not. */
import type { NewerFeature } from '../ast.ts';

interface NewerSyntax {
  /** The version, or the build feature, from which on it is accepted. */
  readonly since: string;
  readonly docs: string;
}

export const NEWER_SYNTAX: Readonly<Record<NewerFeature, NewerSyntax>> = {
  'loop-controls': { since: 'the build feature `loop_controls`', docs: '`{% break %}` and `{% continue %}` in loops.' },
  'required-block': { since: '2.20', docs: 'Blocks marked `scoped`, `required` or both.' },
  'conditional-keyword-argument': {
    since: '2.24',
    docs: 'A conditional as a keyword argument, without parentheses.',
  },
};
