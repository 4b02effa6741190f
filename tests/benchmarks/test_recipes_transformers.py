"""The recipes for transformers: small, with inputs that fit, and other shapes in the second call."""

from __future__ import annotations

import importlib.util

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("transformers") is None, reason="transformers is not installed"),
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed"),
]


def test_there_is_a_class_for_nearly_every_folder() -> None:
    import transformers

    from benchmarks.accuracy.recipes import load

    names = load("transformers").names()
    assert len(names) == len(set(names)) > 500
    assert not [name for name in names if not hasattr(transformers, name.partition("@")[0])]


@pytest.mark.parametrize(
    ("name", "main", "labels"),
    [
        ("BertForQuestionAnswering", "input_ids", {"start_positions", "end_positions"}),
        ("Wav2Vec2ForCTC", "input_values", {"labels"}),
        ("ViTForImageClassification", "pixel_values", {"labels"}),
        ("Qwen3VLForConditionalGeneration", "image_grid_thw", {"labels"}),
    ],
)
def test_a_model_is_small_and_is_trained_with_labels(name: str, main: str, labels: set[str]) -> None:
    from benchmarks.accuracy.recipes import load

    made = load("transformers").build(name)
    assert type(made.target).__name__ == name
    assert made.target.num_parameters() < 5_000_000
    assert made.first.kwargs[main].shape[0] == 2
    assert made.second.kwargs[main].shape[0] == 3
    assert made.train is not None
    assert set(made.train.kwargs) - set(made.first.kwargs) == labels


def test_one_token_is_decoded_behind_a_prompt_in_the_cache() -> None:
    from benchmarks.accuracy.recipes import load

    made = load("transformers").build("LlamaForCausalLM@cache")
    assert not made.trains
    assert made.first.kwargs["input_ids"].shape == (2, 1)
    assert made.first.kwargs["past_key_values"].get_seq_length() == 12
    assert made.second.kwargs["past_key_values"].get_seq_length() == 17


def test_long_texts_are_long_and_short_ones_are_not() -> None:
    from benchmarks.accuracy.recipes import load

    recipe = load("transformers")
    assert recipe.build("LongformerForMaskedLM@long").first.kwargs["input_ids"].shape == (1, 768)
    assert recipe.build("LongformerForMaskedLM").first.kwargs["input_ids"].shape == (2, 12)
