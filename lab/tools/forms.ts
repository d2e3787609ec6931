/** Tools of MCP servers that clients may leave out, rename or change. Each one is in a server of its own, beside a plain tool. */

/** A tool as `tools/list` returns it. */
export interface ToolForm {
  /** The name of the server that has the tool. It never changes. */
  readonly id: string;
  readonly question: string;
  /** The definition. Its name is `form` if it has none. */
  readonly tool: Readonly<Record<string, unknown>>;
}

const OBJECT = { type: 'object' } as const;
const TEXT = { type: 'string' } as const;
const one = (schema: unknown) => ({ inputSchema: { ...OBJECT, properties: { value: schema } } });
/** A tool without a description is recognized by its property. */
const only = (id: string) => ({ inputSchema: { ...OBJECT, properties: { [`only_${id}`]: TEXT } } });
const named = (name: string) => ({ name, inputSchema: { ...OBJECT, properties: { value: TEXT } } });

/** The name of the tool that is beside each form. */
export const PLAIN = 'plain';

export const TOOL_FORMS: readonly ToolForm[] = [
  {
    id: 't01',
    question: '`oneOf` at the root',
    tool: {
      inputSchema: {
        ...OBJECT,
        oneOf: [
          { properties: { a: TEXT }, required: ['a'] },
          { properties: { b: TEXT }, required: ['b'] },
        ],
      },
    },
  },
  {
    id: 't02',
    question: '`anyOf` at the root',
    tool: {
      inputSchema: { ...OBJECT, anyOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: TEXT, b: TEXT } },
    },
  },
  {
    id: 't03',
    question: '`allOf` at the root',
    tool: { inputSchema: { ...OBJECT, allOf: [{ properties: { a: TEXT } }] } },
  },
  {
    id: 't04',
    question: '`if` and `else` at the root',
    tool: {
      inputSchema: { ...OBJECT, properties: { a: TEXT, b: TEXT }, if: { required: ['a'] }, else: { required: ['b'] } },
    },
  },
  {
    id: 't05',
    question: '`not` at the root',
    tool: { inputSchema: { ...OBJECT, properties: { a: TEXT }, not: { required: ['b'] } } },
  },
  {
    id: 't06',
    question: '`$ref` at the root',
    tool: { inputSchema: { ...OBJECT, $ref: '#/$defs/Q', $defs: { Q: { ...OBJECT, properties: { a: TEXT } } } } },
  },
  { id: 't07', question: '`$ref` without a target', tool: one({ $ref: '#/$defs/Lost' }) },
  { id: 't08', question: '`$ref` to another document', tool: one({ $ref: 'https://example.com/thing.json' }) },
  {
    id: 't09',
    question: 'a schema that refers to itself',
    tool: {
      inputSchema: {
        ...OBJECT,
        properties: { root: { $ref: '#/$defs/node' } },
        $defs: { node: { ...OBJECT, properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
      },
    },
  },
  { id: 't10', question: 'no `type` at the root', tool: { inputSchema: { properties: { a: TEXT } } } },
  { id: 't11', question: '`type: string` at the root', tool: { inputSchema: TEXT } },
  { id: 't12', question: 'no `properties`', tool: { inputSchema: OBJECT } },
  { id: 't13', question: 'an array without `items`', tool: one({ type: 'array' }) },
  {
    id: 't14',
    question: '`prefixItems`',
    tool: one({ type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false }),
  },
  { id: 't15', question: 'a list of types', tool: one({ type: ['string', 'null'] }) },
  { id: 't16', question: '`nullable` of OpenAPI', tool: one({ type: 'string', nullable: true }) },
  { id: 't17', question: '`enum` of numbers', tool: one({ type: 'integer', enum: [1, 2, 3] }) },
  { id: 't18', question: '`const`', tool: one({ const: 'fixed' }) },
  { id: 't19', question: '`anyOf` in a property', tool: one({ anyOf: [TEXT, { type: 'number' }] }) },
  {
    id: 't20',
    question: '`patternProperties`',
    tool: { inputSchema: { ...OBJECT, patternProperties: { '^x': TEXT }, additionalProperties: false } },
  },
  { id: 't21', question: 'a format that JSON Schema does not define', tool: one({ type: 'string', format: 'phone' }) },
  { id: 't22', question: 'a default of another type', tool: one({ type: 'string', default: null }) },
  {
    id: 't23',
    question: '`required` names a property that is not defined',
    tool: { inputSchema: { ...OBJECT, properties: { a: TEXT }, required: ['gone'] } },
  },
  {
    id: 't24',
    question: 'a property whose name has a `$`',
    tool: { inputSchema: { ...OBJECT, properties: { $filter: TEXT } } },
  },
  {
    id: 't25',
    question: 'a property whose name has a space',
    tool: { inputSchema: { ...OBJECT, properties: { 'first name': TEXT } } },
  },
  {
    id: 't26',
    question: '`$schema` of draft 7 with `definitions`',
    tool: {
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        ...OBJECT,
        definitions: { Q: TEXT },
        properties: { a: { $ref: '#/definitions/Q' } },
      },
    },
  },
  {
    id: 't27',
    question: 'an `outputSchema` without `type`',
    tool: { ...one(TEXT), outputSchema: { description: 'Anything.' } },
  },
  {
    id: 't28',
    question: 'an `outputSchema` that is a list',
    tool: { ...one(TEXT), outputSchema: { type: 'array', items: TEXT } },
  },
  { id: 't29', question: 'a name with a dot', tool: named('dotted.name') },
  { id: 't30', question: 'a name with a slash', tool: named('with/slash') },
  { id: 't31', question: 'a name with a colon', tool: named('with:colon') },
  { id: 't32', question: 'a name with a space', tool: named('with space') },
  { id: 't33', question: 'a name of 60 characters', tool: named('n60'.padEnd(60, '_abcdefghi')) },
  { id: 't34', question: 'a name of 88 characters', tool: named('n88'.padEnd(88, '_abcdefghi')) },
  { id: 't35', question: 'a name with letters of another script', tool: named('größe') },
  { id: 't36', question: 'no description', tool: { ...only('t36'), description: undefined } },
  {
    id: 't37',
    question: 'a description of 5,000 characters',
    tool: { ...one(TEXT), description: `${'word '.repeat(999)}ends.` },
  },
  { id: 't38', question: '`true` as the schema of a property', tool: one(true) },
  { id: 't39', question: 'two tools of one name', tool: named(PLAIN) },
  {
    id: 't40',
    question: 'a property whose name has brackets',
    tool: { inputSchema: { ...OBJECT, properties: { 'filter[name]': TEXT } } },
  },
  {
    id: 't41',
    question: 'a property whose name has a dot',
    tool: { inputSchema: { ...OBJECT, properties: { 'user.name': TEXT } } },
  },
  {
    id: 't42',
    question: 'a property whose name has letters of another script',
    tool: { inputSchema: { ...OBJECT, properties: { größe: TEXT } } },
  },
  {
    id: 't43',
    question: 'a property whose name has 65 characters',
    tool: { inputSchema: { ...OBJECT, properties: { ['n'.padEnd(65, '_abcdefghi')]: TEXT } } },
  },
  {
    id: 't44',
    question: 'a property of a property whose name has a `$`',
    tool: one({ ...OBJECT, properties: { $filter: TEXT } }),
  },
  { id: 't45', question: '`description: null`', tool: { ...only('t45'), description: null } },
  { id: 't46', question: '`title: null`', tool: { ...one(TEXT), title: null } },
  { id: 't47', question: '`annotations: null`', tool: { ...one(TEXT), annotations: null } },
  { id: 't48', question: '`outputSchema: null`', tool: { ...one(TEXT), outputSchema: null } },
  { id: 't49', question: 'no `inputSchema`', tool: {} },
  { id: 't50', question: 'a hint that is a string', tool: { ...one(TEXT), annotations: { readOnlyHint: 'true' } } },
  { id: 't51', question: '`properties: null`', tool: { inputSchema: { ...OBJECT, properties: null } } },
  {
    id: 't52',
    question: '`required: null`',
    tool: { inputSchema: { ...OBJECT, properties: { value: TEXT }, required: null } },
  },
  { id: 't53', question: 'a list as `items`', tool: one({ type: 'array', items: [TEXT, { type: 'number' }] }) },
  { id: 't54', question: 'a regular expression that is not valid', tool: one({ type: 'string', pattern: '(' }) },
  { id: 't55', question: 'an unknown type', tool: one({ type: 'date' }) },
  { id: 't56', question: 'a name of 140 characters', tool: named('n140'.padEnd(140, '_abcdefghi')) },
  {
    id: 't57',
    question: 'a list as `items` in a schema of draft 7',
    tool: {
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        ...OBJECT,
        properties: { value: { type: 'array', items: [TEXT] } },
      },
    },
  },
  {
    id: 't58',
    question: '`required: true` in a property, as in draft 3',
    tool: one({ type: 'string', required: true }),
  },
  { id: 't59', question: '`type` of OpenAPI in capitals', tool: one({ type: 'STRING' }) },
  { id: 't60', question: '`minimum` that is a string', tool: one({ type: 'number', minimum: '1' }) },
  {
    id: 't61',
    question: '`additionalProperties: false` without properties',
    tool: { inputSchema: { ...OBJECT, additionalProperties: false } },
  },
];
