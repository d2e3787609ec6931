import { setScalar } from '../languages/yaml/edit.ts';
import { findValue, stringOf } from '../languages/yaml/node.ts';
import type { SkillDocument } from '../skill/document.ts';
import { isName, promisedName } from '../skill/kebab-name.ts';
import { skillsNamed, type WorkspaceIndex } from '../workspace/workspace-index.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

export const nameFileMismatch: Rule = {
  name: 'name-file-mismatch',
  code: 'name-file-mismatch',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'skill-format.md, section 2' },
  dialects: SKILLS,
  readsHeadOnly: true,
  *check(index, document) {
    const node = findValue(document.frontmatter.tree.root, 'name');
    const name = stringOf(node);
    const promised = promisedName(document.uri);
    if (node?.kind !== 'scalar' || !name || !isName(name) || name === promised) return;
    if (index.partial || document.uri.startsWith('untitled:') || standsBeside(index, document, name, promised)) return;
    const edits = isName(promised) ? setScalar(document.text, node, promised) : [];
    yield {
      span: node.span,
      message: `The skill is called \`${name}\`, but its file \`${promised}\`; whoever looks for the one does not find the other. Give both the same name.`,
      fixes: edits.length > 0 ? [fixHere(document, `Rename the skill to \`${promised}\``, edits)] : [],
    };
  },
};

/** Versions side by side share a name, so all files but one need something behind it (skill-format.md, section 4). */
const standsBeside = (index: WorkspaceIndex, { uri }: SkillDocument, name: string, promised: string): boolean =>
  promised.startsWith(name) && skillsNamed(index, name).some((other) => other.uri !== uri);
