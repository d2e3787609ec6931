import { stringOf } from '../languages/yaml/node.ts';
import { repositoryMark } from '../workspace/neighbours.ts';
import { STANDARD } from './common/agent-skill/entries.ts';
import {
  findFolderName,
  findNameFaults,
  findNamesakes,
  nameNode,
  normalName,
  renameTo,
} from './common/agent-skill/naming.ts';
import type { Rule } from './rule.ts';

/** Only a warning, because plugins prefix names on purpose and most clients accept that. */
export const agentSkillNameFolder: Rule = {
  name: 'agent-skill-name-folder',
  severity: 'warning',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  checkedBy: ['VS Code'],
  *check(file, analysis) {
    const node = nameNode(file);
    const name = stringOf(node);
    const folder = findFolderName(file);
    // An invalid name is reported by `agent-skill-name`, whose fixes solve this as well.
    if (!node || !name?.trim() || !folder || findNameFaults(name).length > 0) return;
    if (normalName(name) === normalName(folder)) return;
    // A clone of a repository may have any name; equal names are reported by `duplicate-skill`, with the same fix.
    if (analysis.exists(repositoryMark(file.uri)) === true || findNamesakes(file, analysis).length > 0) return;
    yield {
      span: node.span,
      message: `The skill is called \`${name}\`, but its folder \`${folder}\`. The standard wants both the same, and clients that look a skill up by its folder do not find it. Rename one of the two.`,
      fixes: renameTo(file, [folder]),
    };
  },
};
