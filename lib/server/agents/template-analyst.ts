/** The starting point that analyses files: it plays a script with invented figures, so that it runs without a key. */
import type { JsonObject } from '#lib/spec/json'

export const analyst: JsonObject = {
  name: 'analyst',
  title: 'Analyst',
  description:
    'Takes a workbook or a CSV file that you attach, computes on it in Python, draws a chart and writes a report. It plays a script with invented figures until you give it a real model. Ask: Which region brought the most revenue?',
  instructions:
    'You analyse tables that people give you as files. Today is {{date}}.\n\n1. Look at the file with workspace.view before you use it: its sheets, its columns and what is missing.\n2. Compute with python.run; load_table reads a sheet with its types. Use the standard library, and write what a chart needs into a CSV file.\n3. Draw a chart with chart.render when it shows something that a sentence does not.\n4. Write the result with report.write: the answer first, then the chart and a table, and how it was computed.\n\nEvery number that you tell comes from a result. Say what the data do not tell.',
  model: {
    provider: 'scripted',
    name: 'script',
    turns: [
      {
        text: 'This script brings its own figures: half a year of sales, invented.',
        calls: [
          {
            name: 'files.create',
            args: {
              path: 'sales.csv',
              content:
                'Month,Region,Units,Revenue\n2025-01-01,North,877,41200\n2025-01-01,South,783,36800\n2025-01-01,West,628,29500\n2025-02-01,North,886,41650\n2025-02-01,South,773,36320\n2025-02-01,West,600,28220\n2025-03-01,North,947,44500\n2025-03-01,South,814,38240\n2025-03-01,West,624,29340\n2025-04-01,North,993,46650\n2025-04-01,South,840,39460\n2025-04-01,West,633,29760\n2025-05-01,North,1036,48700\n2025-05-01,South,863,40580\n2025-05-01,West,640,30080\n2025-06-01,North,1039,48850\n2025-06-01,South,847,39800\n2025-06-01,West,606,28500\n',
              overwrite: true,
            },
          },
        ],
      },
      {
        text: 'I sum them up in Python.',
        calls: [
          {
            name: 'python.run',
            args: {
              code: 'import csv, json, statistics\n\nrows = load_table("sales.csv")\nmonths, regions = {}, {}\nfor row in rows:\n    months.setdefault(row["Month"], []).append(row["Revenue"])\n    regions.setdefault(row["Region"], []).append(row["Revenue"])\n\nsummary = {\n    "rows": len(rows),\n    "total": sum(sum(each) for each in months.values()),\n    "best_month": max(months, key=lambda month: sum(months[month])),\n    "regions": [\n        {"region": name, "revenue": sum(each), "mean": round(statistics.mean(each)),\n         "growth": round(100 * (each[-1] / each[0] - 1), 1)}\n        for name, each in regions.items()\n    ],\n}\nwith open("summary.json", "w") as file:\n    json.dump(summary, file, default=str, indent=1)\nsummary["total"]\n',
              files: ['sales.csv'],
            },
          },
        ],
      },
      {
        text: 'Now the chart.',
        onError:
          'Python could not compute the sums, so there is no chart and no report. The result above says why.',
        calls: [
          {
            name: 'chart.render',
            args: {
              path: 'charts/revenue',
              data: [
                {
                  name: 'sales',
                  path: 'sales.csv',
                },
              ],
              spec: {
                title: {
                  text: 'Revenue by month',
                  subtitle: 'First half of 2025, in euros',
                },
                data: {
                  name: 'sales',
                },
                mark: {
                  type: 'line',
                  point: true,
                },
                encoding: {
                  x: {
                    field: 'Month',
                    type: 'temporal',
                    timeUnit: 'yearmonth',
                    title: null,
                    axis: {
                      format: '%b',
                      tickCount: 'month',
                    },
                  },
                  y: {
                    field: 'Revenue',
                    aggregate: 'sum',
                    type: 'quantitative',
                    title: 'Revenue',
                    axis: {
                      format: ',.0f',
                    },
                  },
                  color: {
                    field: 'Region',
                    type: 'nominal',
                  },
                },
                width: 560,
                height: 300,
              },
            },
          },
        ],
      },
      {
        text: 'And the report.',
        onError: 'The chart could not be drawn, so there is no report. The result above says why.',
        calls: [
          {
            name: 'report.write',
            args: {
              path: 'report.html',
              title: 'Revenue in the first half of 2025',
              description: 'Revenue by month and region, with a chart.',
              content:
                'The three regions together brought **678,150 euros** in the first half of 2025. The figures are invented.\n\n![Revenue by month and region](charts/revenue.svg)\n\n| Region | Revenue | Change from January to June |\n| --- | ---: | ---: |\n| North | 271,550 | +18.6 % |\n| South | 231,200 | +8.2 % |\n| West | 175,400 | -3.4 % |\n\nNorth is the largest region and grows the fastest; West shrinks.\n',
            },
          },
        ],
      },
      {
        text: 'North brought the most revenue in the first half of 2025: 271,550 of 678,150 euros. The report with the chart is in report.html. The figures are invented; give me a real model and a file of yours for real ones.',
        onError: 'The report could not be written. The result above says why.',
      },
    ],
  },
  tools: [
    {
      use: 'builtin',
      tools: [
        'workspace.view',
        'files.list',
        'files.create',
        'python.run',
        'json.query',
        'chart.render',
        'report.write',
      ],
    },
  ],
  policies: [
    {
      use: 'steps',
      max: 20,
    },
  ],
}
