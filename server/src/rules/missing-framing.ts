import { framingError, templateNames } from '../composer/find-framing.ts';
import { formatScalar } from '../languages/yaml/edit.ts';
import { isUnclosed } from '../languages/yaml/frontmatter.ts';
import { framingParts } from './common/framing-parts.ts';
import { addKey, hasFrontmatter } from './common/insert-key.ts';
import type { Rule } from './rule.ts';

/** More templates are not offered. */
const MAX_FIXES = 3;

/** A skill that has nothing to tell the model, or does not say which of its templates does. */
export const missingFraming: Rule = {
  name: 'missing-framing',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, step 2' },
  dialects: ['composer', 'contract', 'agent-skill'],
  *check(file) {
    const { dialect, contract } = file;
    // In a body, a name that no template has is reported by `unknown-artifact`.
    // Without the closing fence it is not known where the body begins.
    if (!hasFrontmatter(file) || isUnclosed(file.frontmatter) || (dialect === 'composer' && contract.framing)) return;
    const parts = framingParts(file);
    const error = framingError(parts);
    if (!error) return;
    const names = parts.framing ? [] : templateNames(parts.artifacts).slice(0, MAX_FIXES);
    yield {
      span: error.span,
      message: `${error.message} ${error.suggestion}`,
      fixes: names.flatMap((name) => addKey(file, 'framing', formatScalar(name))),
    };
  },
};
