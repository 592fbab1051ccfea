"""Every case of the conformance suite, with either client."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import Dict, List

import pytest
from conformance import (
    URL,
    Case,
    Report,
    Tally,
    call_of,
    cases_of,
    options_of,
    problems_of,
    report_error,
    report_list,
    report_rejection,
    report_result,
    response_fields,
    run_all,
)

from checkline import AsyncCheckline, Checkline, ChecklineError, ResponseInfo

pytestmark = pytest.mark.skipif(URL is None, reason="CHECKLINE_CONFORMANCE_URL is not set")

CASES = cases_of("python")
ASYNC_CASES = cases_of("python-async")


def names_of(cases: List[Case]) -> List[str]:
    return [f"{case['id']}: {case['title']}" for case in cases]


def carry_out(case: Case) -> Report:
    responses: List[ResponseInfo] = []
    try:
        client = Checkline(case["key"], on_response=responses.append, **options_of(case))
    except ValueError as rejection:
        return report_rejection(rejection)
    report = call(client, case)
    return {**report, "responses": [response_fields(response) for response in responses]}


def call(client: Checkline, case: Case) -> Report:
    method, arguments = call_of(case)
    if method in ("lookup_all", "lookup_stream"):
        take = arguments.pop("take", None)
        items: List[object] = []
        if arguments.pop("tally", False):
            tally = Tally(arguments["numbers"])
            for item in client.lookup_stream(**arguments):
                tally.add(item)
            return tally.report(client)
        try:
            for item in islice(getattr(client, method)(**arguments), take):
                items.append(item)
        except ChecklineError as error:
            return report_list(client, items, error)
        return report_list(client, items, None)
    try:
        return report_result(client, getattr(client, method)(**arguments))
    except ChecklineError as error:
        return report_error(client, error)


async def carry_out_async(case: Case) -> Report:
    responses: List[ResponseInfo] = []
    try:
        client = AsyncCheckline(case["key"], on_response=responses.append, **options_of(case))
    except ValueError as rejection:
        return report_rejection(rejection)
    async with client:
        report = await call_async(client, case)
    return {**report, "responses": [response_fields(response) for response in responses]}


async def call_async(client: AsyncCheckline, case: Case) -> Report:
    method, arguments = call_of(case)
    if method in ("lookup_all", "lookup_stream"):
        take = arguments.pop("take", None)
        items: List[object] = []
        if arguments.pop("tally", False):
            tally = Tally(arguments["numbers"])
            async for item in client.lookup_stream(**arguments):
                tally.add(item)
            return tally.report(client)
        try:
            async for item in getattr(client, method)(**arguments):
                items.append(item)
                if len(items) == take:
                    break
        except ChecklineError as error:
            return report_list(client, items, error)
        return report_list(client, items, None)
    try:
        return report_result(client, await getattr(client, method)(**arguments))
    except ChecklineError as error:
        return report_error(client, error)


@pytest.fixture(scope="module")
def reports() -> Dict[str, Report]:
    return run_all(carry_out, CASES)


@pytest.fixture(scope="module")
def async_reports() -> Dict[str, Report]:
    async def gather() -> Dict[str, Report]:
        limit = asyncio.Semaphore(8)

        async def one(case: Case) -> Report:
            async with limit:
                return await carry_out_async(case)

        return dict(zip((case["id"] for case in ASYNC_CASES), await asyncio.gather(*map(one, ASYNC_CASES))))

    return asyncio.run(gather())


@pytest.mark.parametrize("case", CASES, ids=names_of(CASES))
def test_python(case: Case, reports: Dict[str, Report]) -> None:
    assert problems_of("python", case, reports[case["id"]]) == []


@pytest.mark.parametrize("case", ASYNC_CASES, ids=names_of(ASYNC_CASES))
def test_python_async(case: Case, async_reports: Dict[str, Report]) -> None:
    assert problems_of("python-async", case, async_reports[case["id"]]) == []
