import { framingError, framingParts, templateNames } from '../../composer/find-framing.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { isUnclosed } from '../../languages/yaml/frontmatter.ts';
import { addKey, hasFrontmatter } from '../../skill/insert-key.ts';
import type { Rule } from '../engine/rule.ts';

/** The largest number of templates that fixes offer. */
const MAX_FIXES = 3;

/** Reports a skill without instructions for the model, or with several templates and no `framing`. */
export const missingFraming: Rule = {
  name: 'missing-framing',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, step 2' },
  dialects: ['composer', 'contract', 'agent-skill'],
  *check(file) {
    const { dialect, contract } = file;
    // `unknown-artifact` reports a `framing` that names no template of the body.
    // Without the closing fence, the start of the body is not known.
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
