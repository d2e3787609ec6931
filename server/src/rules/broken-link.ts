import { linkTargets } from '../workspace/links.ts';
import type { Rule } from './rule.ts';

/** A link to a file that is not there, or a catalog's `from` that names one. */
export const brokenLink: Rule = {
  name: 'broken-link',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 9' },
  dialects: ['composer', 'agent-skill', 'catalog'],
  checkedBy: ['VS Code'],
  readsBroken: true,
  *check(file, analysis) {
    for (const { uri, span, path } of linkTargets(file)) {
      // Undefined until a host has looked.
      if (analysis.exists(uri) !== false || isPlaceholder(path)) continue;
      yield { span, message: `There is no file \`${path}\` beside this one. Correct the path, or add the file.` };
    }
  },
};

/** A path that is meant to be filled in: `{baseDir}/x`, `<name>.md`, `$DIR/x`. */
const isPlaceholder = (path: string): boolean => /[{}<>$‹›…*]|\.\.\./.test(path);
