import type { Draft, Fix } from '../finding.ts';
import { findEntry, findValue } from '../languages/yaml/node.ts';
import { kebabName, promisedName } from '../skill/kebab-name.ts';
import type { SkillFile } from '../skill/skill-file.ts';
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
  evidence: { kind: 'spec', source: 'docs/format.md, section 2' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file) {
    if (file.dialect === 'catalog') yield* namelessTools(file);
    else if (!hasFrontmatter(file)) return;
    for (const problem of keyProblems(file, 'missing-key')) {
      if (!isSchemaOfComposite(file, problem)) yield draftOf(file, problem);
    }
  },
};

/** At levels 2 and 3 a schema that is missing breaks a rule with a number of its own. */
const isSchemaOfComposite = ({ contract: { level } }: SkillFile, { key, depth }: ShapeProblem): boolean =>
  depth === 0 && key === 'input_schema' && (level === 2 || level === 3);

function draftOf(file: SkillFile, { key, depth, span, message }: ShapeProblem): Draft {
  if (depth > 0) return { span, message };
  const isEmpty = findEntry(file.frontmatter.tree.root, key) !== undefined;
  const why = WHY[key];
  return {
    span: isEmpty ? span : placeOfMissingKey(file),
    message: why ? `${isEmpty ? `\`${key}\` is empty` : `This skill has no \`${key}\``}, so ${why}` : message,
    fixes: fixesOf(file, key),
  };
}

const WHY: Readonly<Record<string, string>> = {
  name: "nothing can refer to it. Give it the file's name: lower-case words joined by hyphens.",
  description: 'neither people nor planners can tell when to use it. Say what the skill does and when to use it.',
  version: 'nobody can depend on a certain state of it. Add a semantic version such as `1.0.0`.',
  input_schema: 'nobody knows what to pass to it. Declare the parameters, `{}` if there are none.',
};

function fixesOf(file: SkillFile, key: string): readonly Fix[] {
  switch (key) {
    case 'name': {
      const name = kebabName(promisedName(file.uri));
      return name ? addKey(file, key, name) : [];
    }
    case 'description':
      return addKey(file, key, NEW_DESCRIPTION, 'Add a `description` to fill in');
    case 'version':
      return addKey(file, key, '1.0.0');
    case 'input_schema':
      return addKey(file, key, '{}');
    default:
      return [];
  }
}

/** An entry of the catalog's tools is a tool, which has a name, or the file that names servers. */
function* namelessTools({ frontmatter }: SkillFile): Iterable<Draft> {
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
