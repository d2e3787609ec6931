/**
 * Where MiniJinja accepts more than the version 2.11 that our tests compare with. `accepted` syntax is no problem
 * for us either (a parsed template lists its uses as `newer`); the rest gets a message that names the version.
 */
import type { NewerFeature } from '../ast.ts';

export interface NewerSyntax {
  /** The version, or the build feature, from which on it is accepted. */
  readonly since: string;
  readonly example: string;
  readonly accepted: boolean;
  readonly docs: string;
}

export const NEWER_SYNTAX: Readonly<Record<NewerFeature | RefusedFeature, NewerSyntax>> = {
  'loop-controls': {
    since: 'the build feature `loop_controls`',
    example: '{% for x in xs %}{% if x %}{% break %}{% endif %}{% endfor %}',
    accepted: true,
    docs: '`{% break %}` and `{% continue %}` in loops.',
  },
  'required-block': {
    since: '2.20',
    example: '{% block title required %}{% endblock %}',
    accepted: true,
    docs: 'Blocks marked `scoped`, `required` or both.',
  },
  'conditional-keyword-argument': {
    since: '2.24',
    example: '{{ f(a=1 if b else 2) }}',
    accepted: true,
    docs: 'A conditional as a keyword argument, without parentheses.',
  },
  'unpacking-set': {
    since: '2.14',
    example: '{% set a, b = 1, 2 %}',
    accepted: false,
    docs: 'Unpacking in `set` without parentheses.',
  },
  'dotted-index': { since: '2.18', example: '{{ xs.0 }}', accepted: false, docs: 'An index behind a dot.' },
  'dotted-filter': {
    since: '2.18',
    example: '{{ x | a.b }}',
    accepted: false,
    docs: 'Dots in the names of filters and tests.',
  },
  'unknown-escape': {
    since: '2.18',
    example: '{{ "\\s" }}',
    accepted: false,
    docs: 'An escape without a meaning stands for itself.',
  },
  'parenthesised-set-block': {
    since: '2.14',
    example: '{% set (a) %}{% endset %}',
    accepted: false,
    docs: 'A block assigned to a name in parentheses.',
  },
  'unicode-names': {
    since: 'the build feature `unicode`',
    example: '{{ größe }}',
    accepted: false,
    docs: 'Names beyond ASCII.',
  },
};

type RefusedFeature =
  | 'unpacking-set'
  | 'dotted-index'
  | 'dotted-filter'
  | 'unknown-escape'
  | 'parenthesised-set-block'
  | 'unicode-names';
