/** The names that a catalog declares: tools, scopes, roles, profiles, interrupts, effects, models and so on. */
import type { Analysis } from '../../analysis/analysis.ts';
import { NO_CATALOG } from '../../workspace/catalog.ts';
import { SNAPSHOT_NAME } from '../../workspace/tool-snapshot.ts';
import { catalogAt, namesOf } from '../symbol/declarations.ts';
import type { CatalogDomain, Target } from '../symbol/target.ts';
import { fileOf, type Refusal, refuse } from './plan.ts';

type CatalogName = Target & { kind: 'catalog' };

const article = (domain: CatalogDomain): string => `${/^[aeiou]/.test(domain) ? 'an' : 'a'} ${domain}`;

export function refuseCatalogName(analysis: Analysis, { catalog, domain, name }: CatalogName): Refusal | undefined {
  const known = namesOf(catalogAt(analysis, catalog) ?? NO_CATALOG, domain)?.get(name);
  if (!known || known.span) return undefined;
  return known.uri === undefined
    ? refuse(`\`${name}\` is ${article(domain)} that the format itself defines. It cannot be renamed.`)
    : refuse(
        `\`${name}\` comes from a server, by way of \`${SNAPSHOT_NAME}\`. Rename the tool there and take the snapshot anew.`,
      );
}

/** Names other than scopes only have to be one word. */
const WORD = /^[\p{L}\d_][\p{L}\d_.:/-]*$/u;
const SCOPE = /^[^\s:]+:[^\s:]+$/;

export function refuseNewCatalogName(
  analysis: Analysis,
  { catalog, domain }: CatalogName,
  newName: string,
): Refusal | undefined {
  if (domain === 'scope' && !SCOPE.test(newName)) {
    return refuse(`\`${newName}\` is no scope. Write \`verb:resource\`, such as \`read:pages\`.`);
  }
  if (!WORD.test(newName)) {
    return refuse(
      `\`${newName}\` is no name for ${article(domain)}. Write one word of letters, digits, \`_\`, \`-\`, \`.\`, \`:\` and \`/\`.`,
    );
  }
  const known = namesOf(catalogAt(analysis, catalog) ?? NO_CATALOG, domain)?.get(newName);
  if (known) {
    const where = known.uri ? ` in ${fileOf(known.uri)}` : ', defined by the format';
    return refuse(`There is ${article(domain)} \`${newName}\` already${where}. Choose another name.`);
  }
  return domain === 'tool' && analysis.graph.tools.has(newName)
    ? refuse(`There is a contract \`${newName}\` already, which is a tool as well. Choose another name.`)
    : undefined;
}
