/** The starting point that plans its work: it plays a script, so that it runs without a key. */
import type { JsonObject } from '#lib/spec/json'

export const planner: JsonObject = {
  name: 'planner',
  title: 'Planner',
  description:
    'Makes a plan for a small analysis of the retail database, and keeps it up to date while it works. You can change the plan meanwhile. It plays a script until you give it a real model. Ask: Which countries bring the most revenue?',
  instructions:
    'You answer questions about a shop from its retail database. Today is {{date}}.\n\n1. Make a plan with plan before you begin: a title, and two to five steps.\n2. Keep one step in progress. When it is done, call plan with the command next.\n3. When a person changes the plan, follow it as it is then.\n4. End the plan with the command finish, and answer in a few sentences.',
  model: {
    provider: 'scripted',
    name: 'script',
    turns: [
      {
        text: 'I plan the work first.',
        calls: [
          {
            name: 'plan',
            args: {
              command: 'create',
              title: 'Revenue by country',
              steps: [
                'See which tables there are',
                'Sum the revenue of each country',
                'Compare the three largest',
              ],
            },
          },
        ],
      },
      {
        calls: [
          {
            name: 'plan',
            args: {
              command: 'next',
            },
          },
        ],
      },
      {
        text: 'Which tables are there?',
        calls: [
          {
            name: 'schema.list_tables',
            args: {},
          },
          {
            name: 'plan',
            args: {
              command: 'next',
            },
          },
        ],
      },
      {
        text: 'Revenue of each country, largest first.',
        onError: 'The tables could not be listed. The result above says why.',
        calls: [
          {
            name: 'sql.execute',
            args: {
              sql: 'select c.country, sum(l.quantity * l.unit_price) as revenue from invoice_lines l join invoices i using (invoice_id) join customers c using (customer_id) where l.is_returned = 0 group by c.country order by revenue desc limit 3',
            },
          },
          {
            name: 'plan',
            args: {
              command: 'mark_step',
              step_index: 1,
              step_notes: 'Returned items are left out.',
            },
          },
          {
            name: 'plan',
            args: {
              command: 'next',
            },
          },
        ],
      },
      {
        text: 'Germany is 12.5% above the United Kingdom.',
        onError: 'The revenue could not be compared. The result above says why.',
        calls: [
          {
            name: 'plan',
            args: {
              command: 'finish',
            },
          },
        ],
      },
      {
        text: 'Germany brought the most revenue with 3,734,218.75, before the United Kingdom with 3,318,598.50 and France with 3,069,189.50. Returned items are left out.',
      },
    ],
  },
  tools: [
    {
      use: 'plan',
    },
    {
      use: 'builtin',
      tools: ['schema.*', 'sql.execute'],
      preset: {
        'schema.list_tables': {
          database: 'retail',
        },
        'schema.list_columns': {
          database: 'retail',
        },
        'sql.execute': {
          database: 'retail',
        },
      },
    },
  ],
  policies: [
    {
      use: 'steps',
      max: 20,
    },
  ],
}
