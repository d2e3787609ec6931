import type { Draft, Fix } from '../finding.ts';
import { findEntry, findValue } from '../languages/yaml/node.ts';
import type { SkillDocument } from '../skill/document.ts';
import { kebabName, promisedName } from '../skill/kebab-name.ts';
import type { ShapeProblem } from '../vocabulary/shape-problem.ts';
import { placeOfMissingKey } from './common/drafts.ts';
import { addKey } from './common/insert-key.ts';
import { keyProblems } from './common/shape-drafts.ts';
import { hasFrontmatter, NEW_DESCRIPTION } from './missing-frontmatter.ts';
import type { Rule } from './rule.ts';

export const missingKey: Rule = {
  name: 'missing-key',
  code: 'missing-key',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 2' },
  dialects: ['composer', 'contract', 'catalog'],
  readsHeadOnly: true,
  *check(_, document) {
    if (document.dialect === 'catalog') yield* namelessTools(document);
    else if (!hasFrontmatter(document)) return;
    for (const problem of keyProblems(document, 'missing-key')) {
      if (!isSchemaOfComposite(document, problem)) yield draftOf(document, problem);
    }
  },
};

/** At levels 2 and 3 a schema that is missing breaks a rule with a number of its own (interfaces.md, "Places"). */
const isSchemaOfComposite = ({ contract: { level } }: SkillDocument, { key, depth }: ShapeProblem): boolean =>
  depth === 0 && key === 'input_schema' && (level === 2 || level === 3);

function draftOf(document: SkillDocument, { key, depth, span, message }: ShapeProblem): Draft {
  if (depth > 0) return { span, message };
  const isEmpty = findEntry(document.frontmatter.tree.root, key) !== undefined;
  const why = WHY[key];
  return {
    span: isEmpty ? span : placeOfMissingKey(document),
    message: why ? `${isEmpty ? `\`${key}\` is empty` : `This skill has no \`${key}\``}, so ${why}` : message,
    fixes: fixesOf(document, key),
  };
}

const WHY: Readonly<Record<string, string>> = {
  name: "nothing can refer to it. Give it the file's name: lower-case words joined by hyphens.",
  description: 'neither people nor planners can tell when to use it. Say what the skill does and when to use it.',
  version: 'nobody can depend on a certain state of it. Add a semantic version such as `1.0.0`.',
  input_schema: 'nobody knows what to pass to it. Declare the parameters, `{}` if there are none.',
};

function fixesOf(document: SkillDocument, key: string): readonly Fix[] {
  switch (key) {
    case 'name': {
      const name = kebabName(promisedName(document.uri));
      return name ? addKey(document, key, name) : [];
    }
    case 'description':
      return addKey(document, key, NEW_DESCRIPTION, 'Add a `description` to fill in');
    case 'version':
      return addKey(document, key, '1.0.0');
    case 'input_schema':
      return addKey(document, key, '{}');
    default:
      return [];
  }
}

/** An entry of the catalog's tools is a tool, which has a name, or the file that names servers. */
function* namelessTools({ frontmatter }: SkillDocument): Iterable<Draft> {
  const tools = findValue(frontmatter.tree.root, 'tools');
  for (const item of tools?.kind === 'list' ? tools.items : []) {
    if (item.kind !== 'map' || findEntry(item, 'name') || findEntry(item, 'from')) continue;
    yield {
      span: item.entries[0]?.key.span ?? item.span,
      message:
        'This entry has neither a `name` nor `from`. Give the tool the name that skills call it by, or say which file names its server.',
    };
  }
}
