#!/usr/bin/env python3
"""Whole networks: layer by layer, with layouts that agree, and with one choice for all layers.

    bench/networks.py [--networks A,B] [--time-limit SECONDS] [--save FILE]

First table, one row for each network and objective: the time to solve the layers one by one; the
time of one plan whose layouts agree, its status or gap, and by how much layers that are solved
alone and then copied where they disagree cost more than that plan. Second table: the time and gap
with storage that all layers agree on, then with loop orders that they agree on, and by how much
such a choice costs more than layers that are free.
"""
import measuring

NETWORKS = ("resnet18", "resnet50", "vgg16", "mobilenet_v1", "alexnet", "bert_base")
OBJECTIVES = ("latency", "energy", "edp")
LAYOUTS = "simple_pim"
SHARED = "hbm_pim"  # the one preset whose storage is free
AGREEMENTS = {"storage": "--fix-bypass", "loop orders": "--fix-permutation"}


def run(options, network, objective, architecture, *more):
    return measuring.document_of(
        options.pimbb, "network", "--network", network, "--arch", architecture, "--objective",
        objective, "--threads", options.threads, "--time-limit", options.time_limit, *more,
        codes=(0, 3, 4))


def plan(options, network, objective):
    alone = run(options, network, objective, LAYOUTS)
    agreeing = run(options, network, objective, LAYOUTS, "--agree-layouts")
    goal = agreeing["objective"][0]
    return {"network": network, "objective": objective, "architecture": LAYOUTS,
            "alone_seconds": alone["stats"]["seconds"], "alone_status": alone["status"],
            "seconds": agreeing["stats"]["seconds"], "status": agreeing["status"],
            "gap": goal["gap"], "value": goal["value"], "bound": goal["bound"],
            "copies": agreeing["relayout"][objective],
            "alone": agreeing["layers_alone"][objective],
            "reconciled": agreeing["layers_alone_reconciled"][objective],
            "solves": agreeing["stats"]["solves"]}


def shared(options, network, objective, title):
    joint = run(options, network, objective, SHARED, AGREEMENTS[title])
    goal = joint["totals"]["goals"][0]
    return {"network": network, "objective": objective, "architecture": SHARED, "agree": title,
            "seconds": joint["stats"]["seconds"], "status": joint["status"], "gap": goal["gap"],
            "value": goal["value"], "free": joint["joint"]["free"][0]["value"]}


def more(value, base):
    return f"{100 * (value / base - 1):.2f} %"


def standing(case):
    if case["status"] in measuring.CLOSED:
        return case["status"]
    return f"gap {100 * case['gap']:.2g} %"


def plan_table(cases):
    rows = [[case["network"], case["objective"], measuring.seconds(case["alone_seconds"]),
             measuring.seconds(case["seconds"]), standing(case),
             f"{100 * case['copies'] / case['value']:.1f} %",
             "+ " + more(case["reconciled"], case["value"])]
            for case in cases]
    return measuring.table(["network", "objective", "layer by layer", "agreeing layouts", "proof",
                            "copies", "layers alone, copied"], rows)


def shared_table(cases):
    rows = [[case["network"], case["objective"], case["agree"], measuring.seconds(case["seconds"]),
             standing(case), "+ " + more(case["value"], case["free"])] for case in cases]
    return measuring.table(["network", "objective", "all layers agree on", "time", "proof",
                            "costs"], rows)


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("--networks", default=",".join(NETWORKS))
    parser.add_argument("--time-limit", type=float, default=30)
    options = parser.parse_args()
    networks = options.networks.split(",")

    circumstances = measuring.circumstances()
    plans = [plan(options, network, objective)
             for network in networks for objective in OBJECTIVES]
    choices = [shared(options, network, objective, title) for title in AGREEMENTS
               for network in networks for objective in OBJECTIVES]
    print(measuring.where(circumstances))
    print(plan_table(plans))
    print(shared_table(choices))
    if options.save:
        measuring.save(options.save, {"circumstances": circumstances, "threads": options.threads,
                                      "time_limit": options.time_limit, "plans": plans,
                                      "choices": choices})


if __name__ == "__main__":
    main()
